/**
 * The capture format: the bytes of a line as NDJSON, which outlives the program that wrote it. A header line, then one line for each
 * piece.
 */
import { z } from "zod";

/** The sender of bytes. */
export type Sender = "hub" | "node";

/** Bytes that were transmitted together. */
export interface Passed {
  /** ms since the capture began. */
  readonly t: number;
  readonly dir: Sender;
  readonly bytes: Uint8Array;
  /** edgeId of the node on whose line the bytes passed, in a capture of several nodes. */
  readonly node?: string | undefined;
  /** An input of `fuzz`, as opposed to the traffic of an honest hub or node. */
  readonly input?: true | undefined;
}

export interface Capture {
  /** Subject of the capture, in words. */
  readonly of: string;
  /** Start of the capture, wall-clock ms, when it is known. */
  readonly at?: number | undefined;
  readonly passed: readonly Passed[];
}

export type ReadCapture =
  | { readonly kind: "ok"; readonly capture: Capture /** The last line was incomplete. */; readonly isCut: boolean }
  | { readonly kind: "problems"; readonly problems: readonly string[] };

const VERSION = 1;

const header = z.object({ capture: z.literal(VERSION), of: z.string(), at: z.number().optional() });
const piece = z.object({
  t: z.number().min(0),
  dir: z.enum(["hub", "node"]),
  bytes: z.string().regex(/^([0-9A-Fa-f]{2})*$/, "must be hex, two digits a byte"),
  node: z.string().optional(),
  input: z.literal(true).optional(),
});

/** The first line of a capture. */
export function headerLine(of: string, at?: number): string {
  return `${JSON.stringify({ capture: VERSION, of, at })}\n`;
}

/** One line of a capture. */
export function passedLine({ t, dir, bytes, node, input }: Passed): string {
  const hex = Buffer.from(bytes).toString("hex").toUpperCase();
  return `${JSON.stringify({ t: Math.round(t * 1000) / 1000, dir, bytes: hex, node, input })}\n`;
}

/** Whether a text begins like a capture rather than like hex. */
export function looksLikeCapture(text: string): boolean {
  return text.trimStart().startsWith("{") && /"capture"|"bytes"/.test(text.slice(0, 1000));
}

/** Parses a capture. An incomplete last line, as a killed writer leaves it, is ignored. */
export function readCapture(text: string): ReadCapture {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const problems: string[] = [];
  const passed: Passed[] = [];
  const parsed = lines.map(parsedJson);
  const first = header.safeParse(parsed[0]);
  if (!first.success)
    return { kind: "problems", problems: [`line 1: a capture begins with {"capture": ${VERSION}, "of": "…"}`] };
  const isCut = lines.length > 1 && parsed.at(-1) === undefined && !text.endsWith("\n");
  const rest = parsed.slice(1, isCut ? -1 : undefined);
  for (const [at, line] of rest.entries()) {
    const read = piece.safeParse(line);
    if (read.success) passed.push({ ...read.data, bytes: Buffer.from(read.data.bytes, "hex") });
    else problems.push(`line ${at + 2}: ${line === undefined ? "it is no JSON" : sentence(read.error)}`);
  }
  if (problems.length > 0) return { kind: "problems", problems };
  return { kind: "ok", capture: { of: first.data.of, at: first.data.at, passed }, isCut };
}

function parsedJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function sentence(error: z.ZodError): string {
  return error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; ");
}
