/** `porchlight-sim decode`: a capture, or hex from anywhere, as lines in words. */
import { text } from "node:stream/consumers";
import { styleText } from "node:util";
import { Command, Option } from "commander";
import { looksLikeCapture, readCapture, type Sender } from "../capture/capture.ts";
import { type DecodedFrame, decodeAll, frameJson, frameLine, type Some } from "../capture/decode.ts";
import { readHex } from "../capture/hex.ts";
import { textOf, UsageError } from "./usage.ts";

interface DecodeOptions {
  readonly json?: boolean;
  readonly from?: Sender;
}

/** The status with which it ends when a frame was damaged. */
const DAMAGED = 1;

/** The command, for the program's list. */
export function decodeCommand(): Command {
  return new Command("decode")
    .argument("[file]", "a capture, or hex in any writing; - is stdin", "-")
    .description("Explain the frames of a capture, or of hex, in words; status 1 when a frame is damaged.")
    .addOption(new Option("--json", "print one JSON object per frame").env("PORCHLIGHT_JSON"))
    .addOption(new Option("--from <side>", "who sent the hex, if the input is not a capture").choices(["hub", "node"]))
    .addHelpText(
      "after",
      '\nExamples:\n  porchlight-sim decode board.ndjson\n  echo "C0 82 0B 07 35 BB C0" | porchlight-sim decode',
    )
    .action(decode);
}

async function decode(file: string, { json, from }: DecodeOptions): Promise<void> {
  const frames = decodeAll(bytesOf(file, file === "-" ? await text(process.stdin) : textOf(file), from));
  for (const frame of frames) process.stdout.write(`${json ? frameJson(frame) : shown(frame)}\n`);
  const damaged = frames.filter(({ damage }) => damage !== undefined).length;
  process.stderr.write(`${frames.length} frames, ${damaged} damaged\n`);
  if (damaged > 0) process.exitCode = DAMAGED;
}

function bytesOf(file: string, content: string, from: Sender | undefined): readonly Some[] {
  if (looksLikeCapture(content)) {
    const read = readCapture(content);
    if (read.kind === "problems")
      throw new UsageError(read.problems.map((problem) => `${file}: ${problem}`).join("\n"));
    if (read.isCut) process.stderr.write(`${file}: the last line is cut off; it is left out\n`);
    return read.capture.passed.map((passed) => ({ node: undefined, ...passed }));
  }
  const read = readHex(content);
  if (read.kind === "problem") throw new UsageError(`${file}: ${read.problem}`);
  return [{ t: undefined, dir: from, bytes: read.bytes }];
}

/** Damage in red on a terminal; plain in a pipe, and with NO_COLOR. */
function shown(frame: DecodedFrame): string {
  const line = frameLine(frame);
  return frame.damage ? styleText("red", line, { stream: process.stdout }) : line;
}
