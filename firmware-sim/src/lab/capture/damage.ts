/** What is wrong with a good frame's body, each by the number of its rule in the protocol document. */
import { type Body, decodeBody, mayCome } from "@porchlight/shared/wire";
import { profileFaults } from "../conform/watch/profile.ts";
import type { Sender } from "./capture.ts";

export interface Damage {
  /** Its number in the protocol document. */
  readonly rule: string;
  readonly what: string;
}

/** What a receiver drops, answers with ERROR or ignores; undefined for a message that says something. */
export function bodyDamage(body: Uint8Array, from: Sender | undefined): Damage | undefined {
  const said = decodeBody(body);
  switch (said.kind) {
    case "message":
      return wrongSide(said, from);
    case "damage":
      return dropped(said.reason, body);
    case "unknown_type":
      return { rule: "W2", what: `There is no message of type ${said.type}.` };
    case "malformed":
      return said.type === "HELLO" || said.type === "HELLO_ACK"
        ? { rule: "M6", what: `A key of ${said.type} is missing, of the wrong type or out of range.` }
        : { rule: "W3", what: `A field of ${said.type} is missing or wrong.` };
    case "other_version":
      return { rule: "M6", what: `${said.type} of version ${said.version}.` };
  }
}

function wrongSide({ message }: Body & { kind: "message" }, from: Sender | undefined): Damage | undefined {
  if (from === undefined || mayCome(message.type, from)) return undefined;
  return { rule: "W4", what: `${message.type} is the other side's to send.` };
}

/** Which rule of the profile makes it bad CBOR: what a receiver need not know, a person wants to. */
function dropped(reason: "bad_cbor" | "trailing_bytes" | "bad_message", body: Uint8Array): Damage {
  if (reason === "bad_message")
    return { rule: "W1", what: "It is no array that begins with a type and a seq of at most 65535." };
  if (reason === "trailing_bytes") return { rule: "F9", what: "There are bytes after the CBOR item." };
  const fatal = profileFaults(body).find(({ rule }) => rule !== "C1");
  return fatal ?? { rule: "C8", what: "It is no CBOR of the profile." };
}
