/** `porchlight-sim decode`: shows a capture, or hex from any source, as lines in words. */
import { writeFileSync } from "node:fs";
import { buffer } from "node:stream/consumers";
import { styleText } from "node:util";
import { printable } from "@porchlight/shared/model";
import { Command, Option } from "commander";
import {
  type Capture,
  headerLine,
  looksLikeCapture,
  passedLine,
  readCapture,
  type Sender,
} from "../lab/capture/capture.ts";
import { isPcapngName } from "../lab/capture/capture-file.ts";
import { type DecodedFrame, decodeAll, frameJson, frameLine, readHex, type Some } from "../lab/capture/decode.ts";
import { looksLikePcapng, pcapngOf, readPcapng } from "../lab/capture/pcapng.ts";
import { bytesOf, UsageError } from "./command-line.ts";

interface DecodeOptions {
  readonly json?: boolean;
  readonly from?: Sender;
  readonly out?: string;
}

/** Exit status when a frame was damaged. */
const DAMAGED = 1;

/** The `decode` command. */
export function decodeCommand(): Command {
  return new Command("decode")
    .argument("[file]", "a capture, or hex in any writing; - is stdin", "-")
    .description("Explain the frames of a capture, or of hex, in words; status 1 when a frame is damaged.")
    .addOption(new Option("--json", "print one JSON object per frame").env("PORCHLIGHT_JSON"))
    .addOption(new Option("--from <side>", "who sent the hex, if the input is not a capture").choices(["hub", "node"]))
    .option("--out <file>", "write it as a capture too: as pcapng, for Wireshark, if its name ends with .pcapng")
    .addHelpText(
      "after",
      '\nExamples:\n  porchlight-sim decode board.ndjson\n  porchlight-sim decode board.ndjson --out board.pcapng\n  echo "C0 82 0B 07 35 BB C0" | porchlight-sim decode',
    )
    .action(decode);
}

async function decode(file: string, { json, from, out }: DecodeOptions): Promise<void> {
  const content = file === "-" ? await buffer(process.stdin) : bytesOf(file);
  const capture = captureOf(file, content);
  if (!capture && out !== undefined) throw new UsageError("--out: hex has no times and no sender; give a capture");
  if (capture && out !== undefined) writeFileSync(out, written(capture, out));
  const frames = decodeAll(capture?.passed ?? hexOf(file, content.toString("utf8"), from));
  for (const frame of frames) process.stdout.write(`${json ? printable(frameJson(frame)) : shown(frame)}\n`);
  const damaged = frames.filter(({ damage }) => damage !== undefined).length;
  process.stderr.write(`${frames.length} frames, ${damaged} damaged\n`);
  if (damaged > 0) process.exitCode = DAMAGED;
}

/** Undefined for hex. @throws UsageError */
function captureOf(file: string, content: Buffer): Capture | undefined {
  const isCapture = looksLikePcapng(content) || looksLikeCapture(content.toString("utf8"));
  return isCapture ? captureIn(file, content) : undefined;
}

/** The capture in the format of the file name. */
function written({ of, at, passed }: Capture, out: string): Uint8Array | string {
  return isPcapngName(out) ? pcapngOf(of, at ?? 0, passed) : [headerLine(of, at), ...passed.map(passedLine)].join("");
}

function hexOf(file: string, content: string, from: Sender | undefined): readonly Some[] {
  const read = readHex(content);
  if (read.kind === "problem") throw new UsageError(`${file}: ${read.problem}`);
  return [{ t: undefined, dir: from, bytes: read.bytes }];
}

/** Damage is red on a terminal; plain in a pipe, and with NO_COLOR. */
function shown(frame: DecodedFrame): string {
  const line = printable(frameLine(frame));
  return frame.damage ? styleText("red", line, { stream: process.stdout }) : line;
}

/**
 * Reads a capture that a command line names, in either format; problems include the name of the file. @param file its name @throws
 * UsageError with every problem of the file
 */
export function captureIn(file: string, content: Uint8Array): Capture {
  const read = looksLikePcapng(content) ? readPcapng(content) : readCapture(Buffer.from(content).toString("utf8"));
  if (read.kind === "problems") throw new UsageError(read.problems.map((problem) => `${file}: ${problem}`).join("\n"));
  if (read.isCut) process.stderr.write(`${file}: its end is cut off; what is incomplete is left out\n`);
  return read.capture;
}
