/** `porchlight-sim conform`: drives a real device through every rule of the protocol document, as its hub; or a hub, as its nodes. */
import { readFileSync, writeFileSync } from "node:fs";
import { systemClock, systemRandom } from "@porchlight/shared/kernel";
import { printable, printableLines } from "@porchlight/shared/model";
import { Command, Option } from "commander";
import { htmlReport } from "../lab/conform/report/html.ts";
import { jsonReport } from "../lab/conform/report/json.ts";
import { junitReport } from "../lab/conform/report/junit.ts";
import { Progress } from "../lab/conform/report/progress.ts";
import { closingLines, resultLine } from "../lab/conform/report/terminal.ts";
import { isProof, type Result, type RuleReport, sumOf } from "../lab/conform/rule.ts";
import { ruleTexts } from "../lab/conform/rule-texts.ts";
import { Silence } from "../lab/conform/silence.ts";
import { boardsOf } from "./boards-file.ts";
import { type Asked, type HubOptions, proveAgent } from "./conform-agent.ts";
import { noteLine } from "./print.ts";
import { proveBoards } from "./prove-boards.ts";
import { type DeviceOptions, proveDevice } from "./prove-device.ts";
import { CONFORM_STATUSES, FAILED, NOTHING_PROVED, TIMED_OUT } from "./statuses.ts";
import { UsageError } from "./usage.ts";

interface ConformOptions extends HubOptions, DeviceOptions {
  readonly agent?: boolean;
  readonly boards?: string;
  readonly json?: boolean;
  readonly html?: string;
  readonly junit?: string;
  readonly only?: string;
  readonly quick?: boolean;
}

/** By how much a frame may arrive late on a machine that has other things to do, ms. */
const JITTER = 250;

const DOCUMENT = new URL("../../../docs/contract/device-protocol.md", import.meta.url);

/** The command, for the program's list. */
export function conformCommand(): Command {
  return new Command("conform")
    .description(
      "Test a device: act as its hub, and check every rule for nodes in docs/contract/device-protocol.md. This writes to the device.\nWith --agent, test a hub: act as nodes on a pseudo-terminal, and check every rule for hubs.",
    )
    .addOption(new Option("--serial <path[@baud]>", "the serial line of the device").conflicts("tcp"))
    .addOption(new Option("--tcp <host:port>", "the network address of the device"))
    .addOption(new Option("--psk <hex>", "the key that the device shares with its hub, for TLS").env("PORCHLIGHT_PSK"))
    .addOption(new Option("--id <edgeid>", "edgeId of the device, which names the key"))
    .addOption(new Option("--agent", "test a hub on a pseudo-terminal").conflicts(["serial", "tcp"]))
    .addOption(
      new Option("--boards <file>", "a file of boards, which are tested in parallel").conflicts([
        "serial",
        "tcp",
        "agent",
        "exec",
      ]),
    )
    .addOption(
      new Option("--link <path>", "with --agent and --exec: stable path of the pseudo-terminal").env("PORCHLIGHT_LINK"),
    )
    .addOption(
      new Option(
        "--exec <command>",
        "the command that starts the device, or with --agent the hub, on a pseudo-terminal; {port} becomes its path",
      ),
    )
    .addOption(
      new Option(
        "--exec-log <file>",
        "with --exec: the file for the output of the command; the last lines go to stderr when it ends",
      ),
    )
    .addOption(new Option("--only <rules>", "only these rules, such as F5,R2"))
    .addOption(new Option("--quick", "leave out tests that take long"))
    .addOption(
      new Option(
        "--stimulate <command...>",
        "commands that make the device report something, such as a press of its button; with --agent, a command that sets a property of the lamp that is played",
      ),
    )
    .addOption(
      new Option("--reset <command>", "the command that resets the board; without it, --exec restarts its command"),
    )
    .addOption(new Option("--json", "the report as JSON on stdout").env("PORCHLIGHT_JSON"))
    .addOption(new Option("--html <file>", "write the report as an HTML page"))
    .addOption(new Option("--junit <file>", "write the report as JUnit XML for a build server"))
    .addHelpText(
      "after",
      `\n${CONFORM_STATUSES}\n\nExamples:\n  porchlight-sim conform --serial /dev/ttyUSB0@115200 --html report.html\n  porchlight-sim conform --agent --exec 'porchlight-agent run --cloud http://127.0.0.1:9 --data /tmp/proved --serial {port}'`,
    )
    .action(conform);
}

async function conform(options: ConformOptions): Promise<void> {
  const texts = ruleTexts(readFileSync(DOCUMENT, "utf8"));
  const only = options.only?.split(/[ ,]+/).filter((id) => id !== "");
  const unknown = only?.filter((id) => !texts.has(id)) ?? [];
  if (unknown.length > 0)
    throw new UsageError(`--only ${unknown.join(",")}: there is no such rule in the protocol document`);
  const isStyled = process.stdout.isTTY === true && process.env.NO_COLOR === undefined;
  using progress = process.stderr.isTTY === true ? progressOn(process.stderr) : undefined;
  const onResult = (result: Result) => {
    progress?.clear();
    if (!options.json) process.stdout.write(`${resultLine(result, isStyled)}\n`);
  };
  const asked: Asked = {
    ...{ clock: systemClock, random: systemRandom, jitter: JITTER, texts, only, quick: options.quick, onResult },
    onBegin: (rule) => progress?.begin(rule),
  };
  try {
    const reports = await proved(asked, options, isStyled);
    progress?.clear();
    told(reports, options, isStyled);
  } catch (failure) {
    if (!(failure instanceof Silence)) throw failure;
    noteLine(failure.message);
    process.exitCode = TIMED_OUT;
  }
}

async function proved(asked: Asked, options: ConformOptions, isStyled: boolean): Promise<readonly RuleReport[]> {
  const { boards, json, html } = options;
  if (boards === undefined)
    return [options.agent ? await proveAgent(asked, options) : await proveDevice(asked, options)];
  if (html !== undefined) throw new UsageError("--html: the page is for one device; use --junit or --json for several");
  const entries = boardsOf(boards);
  const width = Math.max(...entries.map(({ name }) => name.length));
  return await proveBoards(entries, { ...asked, onBegin: undefined }, (board, result) => {
    if (!json) process.stdout.write(`${printable(board).padEnd(width)}  ${resultLine(result, isStyled)}\n`);
  });
}

function progressOn({ columns }: NodeJS.WriteStream & { readonly columns: number }): Progress {
  return new Progress({ clock: systemClock, write: (text) => void process.stderr.write(text), columns });
}

function told(reports: readonly RuleReport[], { json, html, junit }: ConformOptions, isStyled: boolean): void {
  const [report] = reports;
  if (html !== undefined && report)
    writeFileSync(
      html,
      htmlReport(
        report,
        new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short" }).format(report.startedAt),
      ),
    );
  if (junit !== undefined) writeFileSync(junit, junitReport(reports));
  for (const each of reports)
    process.stdout.write(
      json ? `${printableLines(jsonReport(each))}\n` : `${closingLines(each, isStyled).join("\n")}\n`,
    );
  if (reports.some((each) => sumOf(each).fail > 0)) process.exitCode = FAILED;
  else if (!reports.every(isProof)) process.exitCode = NOTHING_PROVED;
}
