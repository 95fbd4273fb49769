/** `porchlight accounts export`: saves all data that the service keeps of the account to a file on this machine. */
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import type { AccountExport } from "@porchlight/shared/api";
import { sleep } from "@porchlight/shared/kernel";
import type { Args } from "../../session/args.ts";
import type { Command, Context } from "../../session/command.ts";
import { Failure, UsageError } from "../../session/failure.ts";
import { PASSWORD_STDIN, secrets } from "../../session/questions.ts";

/** Interval of the polls for its completion, ms. */
const ASK_MS = 2_000;
const AGAIN = "porchlight accounts export";

export const exportAccount: Command = {
  name: "export",
  summary: "Downloads everything that the service keeps of your account, as a zip file; asks for the password",
  options: [
    { name: "out", value: "FILE", summary: "Name of the file; porchlight-DATE.zip when left out" },
    { name: "last", summary: "Downloads the last export again instead of starting one; asks for no password" },
    PASSWORD_STDIN,
  ],
  examples: ["porchlight accounts export", "porchlight accounts export --last --out my-data.zip"],
  notes: [
    "The archive is made by the service, and the command waits for it. If you interrupt the command, the service goes on: get the archive later with --last.",
    "The file is readable only by you. Its README.txt explains the other files.",
  ],
  async run(context, args) {
    const started = await begin(context, args);
    const made = await ended(context, started);
    const file = args.text("out") ?? `porchlight-${made.startedAt?.slice(0, 10) ?? "export"}.zip`;
    const bytes = await store(context, file);
    if (context.output.isJson) context.output.json({ file, bytes });
    else context.output.note(`Stored ${bytes.toLocaleString("en")} bytes in ${file}.`);
  },
};

/** @throws Failure when there is no export */
async function begin(context: Context, args: Args): Promise<AccountExport> {
  const { porchlight } = context;
  if (!args.has("last")) {
    const [password = ""] = await secrets(context, args, ["Password"]);
    return porchlight.account.export.start(password);
  }
  const last = await porchlight.account.export.get();
  if (last.state !== "none") return last;
  throw new Failure("notFound", "There is no export.", "None was started, or the last one was deleted.", AGAIN);
}

/** Waits for the end of the export. @throws Failure when it has failed; PorchlightError; the signal's reason */
async function ended({ porchlight, output, clock, signal }: Context, started: AccountExport): Promise<AccountExport> {
  let found = started;
  if (found.state === "running") output.note("The service is making the archive …");
  while (found.state === "running") {
    await sleep(clock, "export", ASK_MS, signal);
    found = await porchlight.account.export.get();
  }
  if (found.state === "ready") return found;
  if (found.problem === "too_large")
    throw new Failure(
      "refused",
      "The export failed.",
      "The archive would be larger than the operator of the service allows.",
      "ask the operator to raise `exportMegabytes`",
    );
  throw new Failure("failed", "The export failed.", "Something went wrong in the service.", AGAIN);
}

/** Writes to a temporary name until the file is complete. @returns its size in bytes @throws UsageError when the file exists */
async function store({ porchlight, signal }: Context, file: string): Promise<number> {
  await (await opened(file, "wx", file)).close();
  // Overwrite the partial file of a killed process.
  const unfinished = `${file}.unfinished`;
  let bytes = 0;
  try {
    const out = await opened(unfinished, "w", file);
    try {
      for await (const part of porchlight.account.export.download({ signal })) {
        await out.writeFile(part);
        bytes += part.length;
      }
    } finally {
      await out.close();
    }
    await rename(unfinished, file);
    return bytes;
  } catch (error) {
    for (const each of [unfinished, file]) await rm(each, { force: true });
    throw error;
  }
}

/** Opens a file that only its owner can read. @param flags `wx`: it must not exist @throws UsageError */
async function opened(path: string, flags: "w" | "wx", file: string): Promise<FileHandle> {
  try {
    return await open(path, flags, 0o600);
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
    const why = code === "EEXIST" ? "There is such a file already." : `The system says ${code || String(cause)}.`;
    throw new UsageError(`${file} cannot be written.`, why, "give another name with --out");
  }
}
