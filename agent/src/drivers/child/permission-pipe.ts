/**
 * The permission to touch a device, requested through a separate pipe: the child blocks for it, as `Attempt.touch` requires.
 *
 * The child writes the number of the attempt, four bytes, and reads one byte: 1 is yes. The pipe carries nothing else.
 */
import { readSync, writeSync } from "node:fs";
import type { Duplex } from "node:stream";

const YES = Buffer.of(1);
const NO = Buffer.of(0);

/** The child's end. @param fd of a pipe that blocks */
export function askByPipe(fd: number): (attempt: number) => boolean {
  return (attempt) => {
    const question = Buffer.alloc(4);
    question.writeUInt32BE(attempt);
    const answer = Buffer.alloc(1);
    try {
      return writeSync(fd, question) === 4 && readSync(fd, answer) === 1 && answer.equals(YES);
    } catch {
      // The agent is gone: there is no permission.
      return false;
    }
  };
}

/** The agent's end. @param mayTouch must record its decision before it returns */
export function answerByPipe(pipe: Duplex, mayTouch: (attempt: number) => boolean): void {
  let rest = Buffer.alloc(0);
  pipe.on("error", () => undefined);
  pipe.on("data", (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    for (; rest.byteLength >= 4; rest = rest.subarray(4)) pipe.write(mayTouch(rest.readUInt32BE()) ? YES : NO);
  });
}
