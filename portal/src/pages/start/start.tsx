/** The first page: how things are, and what can be done next. */
import type { Ecosystem, Environment } from "@porchlight/shared/api";
import { Page } from "../../kit/page.tsx";

export interface StartProps {
  readonly ecosystem: Ecosystem | undefined;
  readonly environment: Environment | undefined;
}

export function StartPage(_: StartProps) {
  return <Page title="Start">…</Page>;
}
