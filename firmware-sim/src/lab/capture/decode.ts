/** Decodes the bytes of both directions into a frame log: one line for each frame, in words, with its damage. */
import { printable, type Value } from "@porchlight/shared/model";
import { decodeBody, errorVerdict, type Message, type Places, type WireAddress } from "@porchlight/shared/wire";
import type { Passed, Sender } from "./capture.ts";
import { bodyDamage, Cutter, type Damage, type Piece } from "./cutter.ts";

/** One frame, or bytes that form none. */
export interface DecodedFrame {
  /** ms from the start of the capture to its last byte; undefined for bytes without a time. */
  readonly t: number | undefined;
  readonly dir: Sender | undefined;
  readonly node?: string | undefined;
  /** The bytes as transmitted. */
  readonly bytes: Uint8Array;
  readonly message: Message | undefined;
  readonly damage: Damage | undefined;
}

/** Bytes of a line; sender and time may be unknown. */
export type Some = Pick<DecodedFrame, "t" | "dir" | "node" | "bytes">;

interface Direction {
  readonly cutter: Cutter;
  last: Some;
}

/** Decodes bytes incrementally. It keeps the open frame of each direction, and the limit that a node stated in HELLO. */
export class Decoder {
  readonly #directions = new Map<string, Direction>();

  /** The frames that these bytes complete. */
  push(some: Some): DecodedFrame[] {
    const direction = this.#direction(some.dir, some.node, some);
    direction.last = some;
    return direction.cutter.push(some.bytes).map((piece) => this.#decoded(piece, some));
  }

  /** The open frames of both directions, at the end of the input. */
  finish(): DecodedFrame[] {
    return [...this.#directions.values()].flatMap(({ cutter, last }) => {
      const piece = cutter.finish();
      return piece ? [this.#decoded(piece, last)] : [];
    });
  }

  #decoded({ raw, body, damage }: Piece, { t, dir, node }: Some): DecodedFrame {
    const stated = body && decodeBody(body);
    const message = stated?.kind === "message" ? stated.message : undefined;
    if (message?.type === "HELLO") {
      const hub = this.#direction("hub", node, { t, dir: "hub", node, bytes: raw });
      hub.cutter.limit = message.info.max;
    }
    return { t, dir, node, bytes: raw, message, damage: (body && bodyDamage(body, dir)) ?? damage };
  }

  #direction(dir: Sender | undefined, node: string | undefined, some: Some): Direction {
    const key = `${dir} ${node}`;
    const known = this.#directions.get(key);
    if (known) return known;
    const direction = { cutter: new Cutter(), last: some };
    this.#directions.set(key, direction);
    return direction;
  }
}

/** Every frame of a capture, ordered by the time of its last byte; unterminated ones come last. */
export function decodeAll(passed: readonly Some[] | readonly Passed[]): DecodedFrame[] {
  const decoder = new Decoder();
  return [...passed.flatMap((some) => decoder.push(some)), ...decoder.finish()];
}

/** Maximum number of bytes to show of a frame: the beginning is enough to recognise noise. */
const MOST_SHOWN = 512;

/** One frame as a line of text: time, sender, content, damage and bytes. */
export function frameLine(frame: DecodedFrame): string {
  const { t, dir, node, bytes, message, damage } = frame;
  const time = t === undefined ? [] : [(t / 1000).toFixed(3).padStart(9)];
  const stated = message ? inWords(message) : "?";
  const wrong = damage ? [`! ${damage.rule}: ${damage.what}`] : [];
  const hex = spaced(bytes.subarray(0, MOST_SHOWN)) + (bytes.length > MOST_SHOWN ? " …" : "");
  const who = node === undefined ? [] : [node];
  const parts = [...time, ...who, ...(dir === undefined ? [] : [dir.padEnd(4)]), stated, ...wrong, `[${hex}]`];
  return printable(parts.join("  "));
}

/** One frame as a line of NDJSON. */
export function frameJson({ t, dir, node, bytes, message, damage }: DecodedFrame): string {
  const words = message && inWords(message);
  return JSON.stringify({
    t,
    dir,
    node,
    hex: Buffer.from(bytes).toString("hex").toUpperCase(),
    words,
    message,
    damage,
  });
}

/** Result of reading bytes from any notation in use: hex with or without spaces, 0x, C arrays, string escapes, dumps. */
type ReadHex =
  | { readonly kind: "ok"; readonly bytes: Uint8Array }
  | { readonly kind: "problem"; readonly problem: string };

/** A line of `hexdump -C`, and one of `xxd`: an offset before the bytes, letters after them. */
const HEXDUMP = /^[0-9a-f]{7,8} {1,2}((?:[0-9a-f]{2} {1,2})*[0-9a-f]{2})? *(?:\|.*\|)?$/i;
const XXD = /^[0-9a-f]{6,8}: ((?:[0-9a-f]{2,4} )*[0-9a-f]{2,4})(?: {2}.*)?$/i;

/** Separators between bytes. */
const BETWEEN = /[\s,;:|\-"'`{}[\]()]+/;

/** Parses the bytes of a text; a problem names the line. */
export function readHex(text: string): ReadHex {
  const bytes: number[] = [];
  const isDump = /^[0-9a-f]{7,8}(:| {1,2}[0-9a-f]{2} ).*/im.test(text) && /\|.*\||^[0-9a-f]{6,8}: /im.test(text);
  const lines = withoutComments(text).split("\n");
  for (const [at, line] of lines.entries()) {
    const plain = isDump ? dumped(line.trim()) : declared(line);
    for (const word of plain.replace(/\\x/gi, " ").split(BETWEEN)) {
      const digits = word.replace(/^0x/i, "");
      if (digits === "") continue;
      if (!/^[0-9a-f]+$/i.test(digits)) return problem(at, `"${word}" is no hex`);
      // A single digit is a byte only where it cannot be half of one.
      if (digits.length % 2 === 1 && !/^0x.$/i.test(word)) return problem(at, `"${word}" has an odd number of digits`);
      bytes.push(...Buffer.from(digits.padStart(2, "0"), "hex"));
    }
  }
  if (bytes.length === 0) return { kind: "problem", problem: "there are no bytes" };
  return { kind: "ok", bytes: Uint8Array.from(bytes) };
}

function problem(at: number, what: string): ReadHex {
  return { kind: "problem", problem: `line ${at + 1}: ${what}` };
}

/** Removes C comments and keeps the line numbers. */
function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, " ")).replace(/\/\/.*$/gm, "");
}

/** Removes the name and type of an array or string, and the prefix letter of a byte string. */
function declared(line: string): string {
  return line.replace(/^.*=/, "").replace(/\bb(?=["'])/g, "");
}

function dumped(line: string): string {
  return XXD.exec(line)?.[1] ?? HEXDUMP.exec(line)?.[1] ?? (/^[0-9a-f]{7,8}$/i.test(line) ? "" : line);
}

/** Bytes in the notation of the protocol document: `C0 82 0B`. */
function spaced(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0").toUpperCase()).join(" ");
}

/** One message on one line, in the words of the protocol document's sessions: `WRITE 3, device 0, Switch 0 on: true`. */
export function inWords(message: Message): string {
  const more = detail(message);
  return printable(`${message.type} ${message.seq}${more}`);
}

function detail(message: Message): string {
  switch (message.type) {
    case "HELLO": {
      const { id, devices, boot, max, win, mf, mo, fw, sn } = message.info;
      const texts = Object.entries({ mf, mo, fw, sn }).flatMap(([key, text]) =>
        text === undefined ? [] : `${key} ${JSON.stringify(text)}`,
      );
      return `, ${[id, `boot ${boot}`, `max ${max}`, `win ${win}`, `devices ${placesOf(devices)}`, ...texts].join(", ")}`;
    }
    case "HELLO_ACK":
      return `, hub ${message.info.hub}${message.info.now === undefined ? "" : `, now ${message.info.now}`}`;
    case "DESCRIBE":
      return `, device ${message.device}, part ${message.part}`;
    case "DESCRIPTION": {
      const { device, part, parts, services, about } = message;
      const stated = about && Object.keys(about).length > 0 ? `; about ${JSON.stringify(about)}` : "";
      return `, device ${device}, part ${part} of ${parts}: ${services.map(serviceWords).join("; ")}${stated}`;
    }
    case "READ":
      return `, ${propertyWords(message)}`;
    case "WRITE":
    case "REPORT":
      return `, ${propertyWords(message)}: ${JSON.stringify(message.value)}`;
    case "VALUE":
    case "WRITTEN":
      return `: ${JSON.stringify(message.value)}`;
    case "ERROR":
      return `, code ${message.code} ${errorVerdict(message.code).says}: ${JSON.stringify(message.text)}`;
    case "CHANGED":
      return `, devices ${placesOf(message.devices)}`;
    case "IDENTIFY":
      return `, device ${message.device}, ${message.seconds} s`;
    case "ACK":
    case "PING":
    case "PONG":
    case "WHO":
      return "";
  }
}

/** `device 0, Switch 0 on` */
function propertyWords({ device, service, index, property }: WireAddress): string {
  return `device ${device}, ${service} ${index} ${property}`;
}

function placesOf(places: Places): string {
  return `[${places.map((edgeId) => edgeId ?? "null").join(", ")}]`;
}

/** A service as the wire describes it: `Switch 0 on`; a property that is not standard has its type too. */
function serviceWords(service: Value): string {
  if (!isMap(service) || !Array.isArray(service.p)) return JSON.stringify(service);
  const properties = service.p.map((property) =>
    isMap(property) ? `${String(property.n)} (${String(property.t)})` : String(property),
  );
  return `${String(service.s)} ${String(service.i)} ${properties.join(", ")}`;
}

function isMap(value: Value): value is { readonly [key: string]: Value } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
