/** Who did something, in words: the beginning of a sentence, and a part of one. */

import { browserOf } from "./browsers.ts";
import { shortened } from "./shortened.ts";

/** Of `why`, as the API answers it. */
export interface Sender {
  readonly kind: string;
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly isDeleted?: true | undefined;
  readonly tokenId?: string | undefined;
  readonly address?: string | undefined;
  /** Of a log-in. */
  readonly userAgent?: string | undefined;
}

const KINDS: Readonly<Record<string, string>> = { account: "the account", server: "the server", user: "the user" };

/** `the user Anna's phone`, `the account`, `a token that is not kept any more`; of nobody undefined. */
export function senderWords(sender: Sender | undefined): string | undefined {
  if (!sender) return undefined;
  const { kind, name, id, tokenId, isDeleted, userAgent } = sender;
  if (kind === "local")
    return name === undefined ? "somebody at home" : `the token ${shortened(name)} of the hub's own API`;
  const known = KINDS[kind];
  if (known === undefined) return `a token that is not kept any more${tokenId === undefined ? "" : ` (${tokenId})`}`;
  const called = isDeleted
    ? `${shortened(name ?? id ?? "")} (deleted)`
    : name !== undefined
      ? shortened(name)
      : kind === "account"
        ? ""
        : (id ?? "");
  const program = userAgent === undefined ? "" : ` with ${browserOf(userAgent)}`;
  return `${`${known} ${called}`.trim()}${program}`;
}

/** The same at the beginning of a sentence, with where the request came from. */
export function senderSubject(sender: Sender | undefined, otherwise: string): string {
  const words = senderWords(sender);
  const text = words === undefined ? otherwise : `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
  return sender?.address === undefined ? text : `${text} (from ${sender.address})`;
}
