/** Reads a file of boards that are proved side by side: YAML in, boards out, or every mistake at once, each with its line. */
import { z } from "zod";
import { salvage } from "../simulator/devices/file/schema-problems.ts";
import { type FileProblem, type Path, readYaml, withLines } from "../simulator/devices/file/yaml-file.ts";
import { textOf, UsageError } from "./usage.ts";

const text = z.string().min(1);

const board = z.strictObject({
  /** What it is called in the report. */
  name: text,
  serial: text.optional(),
  tcp: text.optional(),
  psk: text.optional(),
  id: text.optional(),
  exec: text.optional(),
  execLog: text.optional(),
  /** Run first: it puts the firmware on the board. */
  flash: text.optional(),
  reset: text.optional(),
  stimulate: z.array(text).min(1).optional(),
});

const boardsFile = z.strictObject({ boards: z.array(z.unknown()).min(1) });

export type BoardEntry = z.infer<typeof board>;

/** @throws UsageError with everything that is wrong with it */
export function boardsOf(file: string): readonly BoardEntry[] {
  const read = readBoards(textOf(file));
  if (read.kind === "ok") return read.boards;
  throw new UsageError(read.problems.map((problem) => `${file}: ${problem}`).join("\n"));
}

export type ReadBoards =
  | { readonly kind: "ok"; readonly boards: readonly BoardEntry[] }
  | { readonly kind: "problems"; readonly problems: readonly string[] };

/** @param source the file's YAML */
export function readBoards(source: string): ReadBoards {
  const read = readYaml(source);
  if (read.kind === "problems") return read;
  const problems: FileProblem[] = [];
  const found = (problem: FileProblem) => void problems.push(problem);
  const { entry } = salvage(boardsFile, read.file.value, [], found);
  const boards = (entry.boards ?? []).map((raw, at) => readBoard(raw, ["boards", at], found));
  const names = boards.map(({ name }) => name);
  for (const [at, name] of names.entries())
    if (name !== undefined && names.indexOf(name) < at)
      found({ path: ["boards", at, "name"], text: `${name} is there twice` });
  if (problems.length > 0) return { kind: "problems", problems: withLines(read.file, problems) };
  return { kind: "ok", boards: boards as BoardEntry[] };
}

function readBoard(raw: unknown, at: Path, found: (problem: FileProblem) => void): Partial<BoardEntry> {
  const { entry, broken } = salvage(board, raw, at, found);
  const places = ["serial", "tcp", "exec"].filter(
    (key) => key in entry && entry[key as keyof BoardEntry] !== undefined,
  );
  const isKnown = !["serial", "tcp", "exec"].some((key) => broken.has(key));
  if (isKnown && places.length !== 1) found({ path: at, text: "a board needs one of serial, tcp and exec" });
  if (entry.psk !== undefined && entry.tcp === undefined)
    found({ path: [...at, "psk"], text: "only a board on the network has a key: give it a tcp" });
  return entry;
}
