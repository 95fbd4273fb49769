/** What something is called, as long as there is room for it: of a long name both ends, and all of it in a title. */
import { cut, type Named, nameOf } from "./names.ts";

export interface NameProps {
  readonly of: Named;
}

/** It is set apart from the text around it, in whichever direction it is written. */
export function Name({ of }: NameProps) {
  return <NameText text={nameOf(of)} />;
}

/** The same for a name that is there as text. */
export function NameText({ text }: { readonly text: string }) {
  const shown = cut(text, MOST);
  return <bdi {...(shown !== text && { title: text })}>{shown}</bdi>;
}

/** Two lines on a phone, characters. */
const MOST = 60;
