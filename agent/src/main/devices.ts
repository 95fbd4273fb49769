/**
 * `porchlight-agent devices`: lists the hub's devices and those that wait to be admitted or paired, and announces, admits and pairs them.
 */
import { type DriverAnswer, driverAnswer, type HubSetup, printable, printableValue } from "@porchlight/shared/model";
import type { Command } from "commander";
import { deviceLines, foundLines, readStatus, unpairedLines } from "../ops/index.ts";
import { askExactly, askRunning, SILENCES } from "./backup.ts";
import { type AddCommand, CommandFailed, EXIT, onDataFolder, type Surroundings } from "./command.ts";

export const addDevices: AddCommand = (program, around) => {
  const { clock, out, err } = around;
  const devices = onDataFolder(program.command("devices"), around)
    .description("list the devices of the hub, also those that the cloud does not know")
    .option("--json", "print JSON")
    .action(async ({ data, json }: { readonly data: string; readonly json?: boolean }) => {
      const answer = await readStatus(data, clock);
      if (answer.kind !== "running") throw new CommandFailed(SILENCES[answer.kind], EXIT.offline);
      const { devices: listed, drivers } = answer.status;
      const found = drivers.flatMap((driver) => driver.found.map((each) => ({ ...each, driver: driver.name })));
      if (json) {
        out(`${JSON.stringify(listed)}\n`);
        return;
      }
      const lines = [
        ...deviceLines(printableValue(listed)),
        ...foundLines(printableValue(found)),
        ...unpairedLines(printableValue(drivers)),
      ];
      out(lines.map((line) => `${line}\n`).join(""));
      if (found.length > 0) err("to admit a device: porchlight-agent devices admit EDGEID\n");
      const kinds = drivers.flatMap(({ unpaired }) => unpaired.flatMap(({ setup }) => setup ?? []));
      for (const kind of new Set(printableValue(kinds))) err(`to pair: porchlight-agent devices pair ${kind}\n`);
    });
  devices
    .command("add <edgeId>")
    .description("announce a device to the cloud again after it was deleted there")
    .action(async (edgeId: string, _options, command) => {
      const { data } = command.optsWithGlobals();
      await askRunning(data, { ask: "devices add", about: { edgeId } }, around);
      out(`${edgeId} is announced to the cloud again\n`);
    });
  devices
    .command("admit <edgeId>")
    .description("admit a device that the hub has found; locks, valves and similar devices need this one by one")
    .option("--withdraw", "withdraw the admission; devices that the settings admit stay admitted")
    .action(async (edgeId: string, { withdraw = false }: { readonly withdraw?: boolean }, command) => {
      const { data } = command.optsWithGlobals();
      await askRunning(data, { ask: "drivers", about: { ask: "admit", edgeId, admitted: !withdraw } }, around);
      out(withdraw ? `the admission of ${edgeId} is withdrawn\n` : `${edgeId} is admitted\n`);
    });
  addPairDevice(devices, around);
};

/** How long the agent delays an answer while nothing is new, ms. */
const WAIT_MS = 2000;
const ANSWER_MS = 10_000;

type Ask = (question: object) => Promise<DriverAnswer>;

function addPairDevice(devices: Command, around: Surroundings): void {
  devices
    .command("pair [kind]")
    .description("set up new devices, step by step; without a kind, list what can be set up")
    .action(async (kind: string | undefined, _options, command) => {
      const { data } = command.optsWithGlobals();
      // Unmodified: a choice is sent back.
      const ask: Ask = async (question) =>
        driverAnswer.parse(await askExactly(data, { ask: "drivers", about: question }, around, ANSWER_MS));
      if (kind === undefined) await list(ask, around);
      else await run(kind, ask, around);
    });
}

async function list(ask: Ask, { out, err }: Surroundings): Promise<void> {
  const answer = await ask({ ask: "drivers" });
  const kinds =
    "drivers" in answer
      ? answer.drivers.flatMap(({ name, setups }) => setups.map((each) => printableValue({ ...each, name })))
      : [];
  for (const { kind, title, name } of kinds) out(`${kind}  ${title}  (${name})\n`);
  if (kinds.length === 0) err("no driver of this hub offers a setup at the moment\n");
}

async function run(kind: string, ask: Ask, around: Surroundings): Promise<void> {
  let setup = setupIn(await ask({ ask: "setup start", kind }));
  const { id } = setup;
  const cancel = () => void ask({ ask: "setup cancel", id }).catch(() => undefined);
  using _interrupt = around.onInterrupt(cancel);
  const shown = { text: "", found: new Map<string, string>() };
  for (;;) {
    if (setup.state === "failed") throw new CommandFailed(printable(setup.text));
    if (setup.state === "cancelled") throw new CommandFailed(printable(setup.text), EXIT.interrupted);
    show(printableValue(setup), shown, around);
    if (setup.state === "done") return;
    const { question } = setup;
    if (question) {
      const answer = await around.prompt(promptOf(printableValue(question)), question.ask === "password");
      setup = setupIn(await ask({ ask: "setup answer", id, number: question.number, answer: meant(question, answer) }));
    } else setup = setupIn(await ask({ ask: "setup look", id, after: setup.version, waitMs: WAIT_MS }));
  }
}

/** Prints each part once, whenever it changes. */
function show(
  { text, question, found, secondsLeft }: HubSetup,
  shown: { text: string; readonly found: Map<string, string> },
  { out }: Surroundings,
): void {
  if (text !== shown.text && !question) {
    out(`${text}${secondsLeft === undefined ? "" : ` (at most ${secondsLeft} s)`}\n`);
    shown.text = text;
  }
  for (const [at, { edgeId, name }] of found.entries()) {
    const line = [edgeId, name].filter(Boolean).join("  ");
    if (shown.found.get(edgeId ?? String(at)) === line) continue;
    shown.found.set(edgeId ?? String(at), line);
    out(`  ${line}\n`);
  }
}

function promptOf({ text, choices }: NonNullable<HubSetup["question"]>): string {
  const lines = (choices ?? []).map((choice, at) => `  ${at + 1}  ${choice}\n`);
  return lines.length === 0 ? `${text} ` : `${text}\n${lines.join("")}Number: `;
}

/** The chosen answer; a choice may be given by its number. */
function meant({ choices }: NonNullable<HubSetup["question"]>, answer: string): string {
  return choices?.[Number(answer) - 1] ?? answer;
}

function setupIn(answer: DriverAnswer): HubSetup {
  if ("setup" in answer) return answer.setup;
  throw new CommandFailed("an agent of another version runs on this data folder: restart it");
}
