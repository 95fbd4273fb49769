/** Proves several boards side by side, each on its own line. */
import type { Result, RuleReport } from "../lab/conform/rule.ts";
import { Silence } from "../lab/conform/silence.ts";
import { OpenProblem } from "../simulator/links/open-problem.ts";
import type { BoardEntry } from "./boards-file.ts";
import type { Asked } from "./conform-agent.ts";
import { proveDevice } from "./prove-device.ts";
import { ran } from "./ran.ts";
import { UsageError } from "./usage.ts";

/** @param onResult told of each result, and whose it is @returns a report for each, in their order */
export function proveBoards(
  boards: readonly BoardEntry[],
  asked: Asked,
  onResult: (board: string, result: Result) => void,
): Promise<RuleReport[]> {
  return Promise.all(
    boards.map((board) => proveBoard(board, { ...asked, onResult: (result) => onResult(board.name, result) })),
  );
}

/** One that cannot be flashed, opened or heard proves nothing, and keeps none of the others from being proved. */
async function proveBoard({ name, flash, ...board }: BoardEntry, asked: Asked): Promise<RuleReport> {
  const startedAt = asked.clock.now();
  const from = asked.clock.monotonic();
  try {
    if (flash !== undefined) await flashed(flash);
    const report = await proveDevice(asked, board);
    return { ...report, subject: `${name}: ${report.subject}` };
  } catch (failure) {
    if (!isOfBoard(failure)) throw failure;
    const stopped = failure.message;
    return { subject: name, startedAt, ms: asked.clock.monotonic() - from, results: [], stopped };
  }
}

class FlashFailed extends Error {}

async function flashed(command: string): Promise<void> {
  try {
    await ran(command);
  } catch (failure) {
    throw new FlashFailed(`flash: ${failure instanceof Error ? failure.message.trim() : String(failure)}`);
  }
}

function isOfBoard(failure: unknown): failure is Error {
  return [FlashFailed, OpenProblem, Silence, UsageError].some((known) => failure instanceof known);
}
