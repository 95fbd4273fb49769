/** A capture that a command line names, in either format. What is wrong with it is told with the name of the file. */
import { type Capture, readCapture } from "../lab/capture/capture.ts";
import { looksLikePcapng } from "../lab/capture/pcapng/blocks.ts";
import { readPcapng } from "../lab/capture/pcapng/read.ts";
import { UsageError } from "./usage.ts";

/** @param file its name @throws UsageError with everything that is wrong with it */
export function captureIn(file: string, content: Uint8Array): Capture {
  const read = looksLikePcapng(content) ? readPcapng(content) : readCapture(Buffer.from(content).toString("utf8"));
  if (read.kind === "problems") throw new UsageError(read.problems.map((problem) => `${file}: ${problem}`).join("\n"));
  if (read.isCut) process.stderr.write(`${file}: its end is cut off; what is incomplete is left out\n`);
  return read.capture;
}
