/** What a page claims of the state of things, taken from what it says: pure. What is no claim of state is left out. */
import type { PageRead, Piece } from "./read-page.ts";

export type State = "online" | "offline" | "unknown";

export type Claim =
  /** `isCurrent`: that it is so now, and not only what was last known. */
  | { readonly kind: "state"; readonly subject: string; readonly state: State; readonly isCurrent: boolean }
  | { readonly kind: "count"; readonly of: "hub" | "device"; readonly online: number; readonly all: number }
  /** The lamp of the brand; undefined: it says that this is not known. */
  | { readonly kind: "lamp"; readonly isLit: boolean | undefined }
  | { readonly kind: "moment"; readonly of: Moment; readonly subject: string; readonly moment: number }
  | { readonly kind: "age"; readonly moment: number; readonly says: string; readonly isToCome: boolean }
  | { readonly kind: "value"; readonly subject: string; readonly property: string; readonly says: string }
  | { readonly kind: "live" }
  /** The banner. */
  | { readonly kind: "lost"; readonly since: number }
  | { readonly kind: "outcome"; readonly subject: string; readonly outcome: string }
  | { readonly kind: "sending"; readonly subject: string; readonly goes: "well" | "badly" };

/** Which of the API's times it is: `since` may be of any state. */
export type Moment = "last heard" | "silent since" | "since" | `${State} since`;

export interface Claims {
  /** Name of the tab. */
  readonly page: string;
  /** ms since 1970 */
  readonly at: number;
  readonly claims: readonly (Claim & { readonly text: string })[];
}

const AGE = /(?:\bnow\b|\b\d+ (?:s|min|h|d)\b)/;
const STATE = /^(last known: )?(online|offline|unknown)(?: (?:for )?(?:now|\d+ (?:s|min|h|d)))?$/;
const COUNT = /(\d+) of (\d+) (hub|device)s? online/;
const SENDING: Readonly<Record<string, "well" | "badly">> = {
  healthy: "well",
  succeeded: "well",
  failing: "badly",
  "failing, retrying": "badly",
  failed: "badly",
  retrying: "badly",
};

export function claimsOf(page: string, { at, path, pieces }: PageRead): Claims {
  const [, whole = ""] = /\/([a-z]+_[0-9a-z]+)$/.exec(path) ?? [];
  // An event reports what was so when it happened.
  const isLog = path.endsWith("/events");
  const claims = pieces.flatMap((piece) => {
    const found = isLog ? ofLog(piece) : ofPiece(piece, piece.subject ?? whole);
    return [...found, ...ofFrame(piece)].map((claim) => ({ ...claim, text: piece.text }));
  });
  return { page, at, claims };
}

/** What stands on every page. */
function ofFrame({ text, context = "", datetime }: Piece): readonly Claim[] {
  if (datetime !== undefined && /connection lost/i.test(context))
    return [{ kind: "lost", since: Date.parse(datetime) }];
  if (text === "(hub online)") return [{ kind: "lamp", isLit: true }];
  if (text === "(no hub online)") return [{ kind: "lamp", isLit: false }];
  if (/^\(hub status unknown/.test(text)) return [{ kind: "lamp", isLit: undefined }];
  return [];
}

function ofLog({ text }: Piece): readonly Claim[] {
  return /^Live\./.test(text) ? [{ kind: "live" }] : [];
}

function ofPiece(piece: Piece, subject: string): readonly Claim[] {
  const { text, datetime, property, outcome, isOn, isPending } = piece;
  if (isOn !== undefined) return isPending || !/: Power$/.test(text) ? [] : [powerOf(subject, isOn)];
  if (outcome !== undefined) return [{ kind: "outcome", subject, outcome }];
  if (datetime !== undefined) return ofMoment(piece, subject, Date.parse(datetime));
  if (property !== undefined)
    return /^Button:/.test(property) ? [] : [{ kind: "value", subject, property, says: text }];
  const state = STATE.exec(text);
  if (state) return [{ kind: "state", subject, state: state[2] as State, isCurrent: state[1] === undefined }];
  const count = COUNT.exec(text);
  if (count && !/last known/i.test(text))
    return [{ kind: "count", of: count[3] as "hub" | "device", online: Number(count[1]), all: Number(count[2]) }];
  const goes = SENDING[text];
  return goes === undefined ? [] : [{ kind: "sending", subject, goes }];
}

/** Of devices with one switch. */
function powerOf(subject: string, isOn: boolean): Claim {
  return { kind: "value", subject, property: "Switch:0.on", says: isOn ? "on" : "off" };
}

function ofMoment({ text, label = "", context = "" }: Piece, subject: string, moment: number): readonly Claim[] {
  const age: Claim[] = AGE.test(text)
    ? [
        {
          kind: "age",
          moment,
          says: text,
          isToCome: /\bin \d/.test(text) || /^again\b/.test(context) || /^next attempt$/i.test(label),
        },
      ]
    : [];
  const of = momentOf(label.toLowerCase(), context);
  return of === undefined ? age : [...age, { kind: "moment", of, subject, moment }];
}

function momentOf(label: string, context: string): Moment | undefined {
  if (/^last (?:heard|seen)$/.test(label)) return "last heard";
  if (/\bhas been offline since\b/.test(context)) return "silent since";
  if (/^offline\b/.test(context) || /\bis offline since\b/.test(context)) return "offline since";
  const named = /^(online|offline|unknown) since$/.exec(label);
  if (named) return `${named[1] as State} since`;
  return label === "since" ? "since" : undefined;
}
