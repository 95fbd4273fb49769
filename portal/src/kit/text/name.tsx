/** An object's name, fitted to its place: a long name keeps both ends, with the full name in a title. */
import { cut, type Named, nameOf } from "./names.ts";

interface NameProps {
  readonly of: Named;
}

/** The name is isolated (`<bdi>`), so that its writing direction does not affect the surrounding text. */
export function Name({ of }: NameProps) {
  return <NameText text={nameOf(of)} />;
}

/** The same for a name that is already text. */
export function NameText({ text }: { readonly text: string }) {
  const shown = cut(text, MOST);
  return <bdi {...(shown !== text && { title: text })}>{shown}</bdi>;
}

/** Maximum characters: two lines on a phone. */
const MOST = 60;
