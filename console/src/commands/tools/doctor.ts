/** `porchlight doctor`: checks everything between this console and the hubs, and prints remedies. */
import { CHECK_RESULT_MEANINGS } from "@porchlight/shared/api";
import { styled } from "../../render/style.ts";
import { padded } from "../../render/table.ts";
import { wrapped } from "../../render/wrap.ts";
import type { Action, Context } from "../../session/command.ts";
import { Failure } from "../../session/failure.ts";
import {
  addressFinding,
  exitOfCheck,
  type Finding,
  hubFindings,
  resultStyle,
  settingsFinding,
  tokenFinding,
} from "./doctor-checks.ts";
import { certificateFinding, nameFinding, serviceFindings } from "./doctor-network.ts";

const WIDTH_OF_RESULT = 7;
const WIDTH_OF_CHECK = 12;
/** Below this width, the detail goes below the check. */
const WIDE_ENOUGH = 60;

export const doctor: Action = {
  examples: ["porchlight doctor", "porchlight doctor --api-url https://porchlight.example --json"],
  notes: [
    "Checks the settings file, the address, its name and certificate, the service with its version and clock, the token, and the hubs. When a check fails, the checks that depend on it are skipped.",
    `Each check has one of these results. ${Object.entries(CHECK_RESULT_MEANINGS)
      .map(([result, meaning]) => `\`${result}\`: ${meaning}`)
      .join(" ")}`,
    "The exit status is 0 when no check failed. Otherwise it is that of the first check that failed: 7 the service cannot be reached, 4 the token is not accepted, 6 a hub is offline.",
  ],
  async run(context) {
    const { output } = context;
    const found: Finding[] = [];
    for await (const finding of findings(context)) {
      found.push(finding);
      if (!output.isJson) show(context, finding);
    }
    if (output.isJson) output.json({ items: found });
    const wrong = found.filter(({ result }) => result === "failed");
    const [first] = wrong;
    if (first)
      throw new Failure(
        exitOfCheck(first.check),
        wrong.length === 1 ? "One check failed." : `${wrong.length} checks failed.`,
        first.detail,
        first.cure ?? "porchlight help doctor",
      );
  },
};

/** In the order of their dependencies. @throws PorchlightError when the service becomes unavailable in between */
async function* findings(context: Context): AsyncGenerator<Finding, void, undefined> {
  const { apiUrl } = context.connection;
  yield settingsFinding(context);
  yield addressFinding(context);
  const name = await nameFinding(apiUrl);
  yield name;
  if (name.result === "failed") return;
  const certificate = await certificateFinding(apiUrl, context.clock);
  if (certificate) yield certificate;
  if (certificate?.result === "failed") return;
  const service = await serviceFindings(context);
  yield* service;
  if (service.some(({ result }) => result === "failed")) return;
  const token = await tokenFinding(context);
  yield token;
  if (token.result !== "failed") yield* await hubFindings(context);
}

function show({ output }: Context, { check, result, detail, cure }: Finding): void {
  if (!output.isTerminal) {
    output.tabbed([result, check, detail, cure ?? ""]);
    return;
  }
  const head = [
    styled(resultStyle(result), padded(result, WIDTH_OF_RESULT)),
    "  ",
    styled("dim", padded(check, WIDTH_OF_CHECK)),
  ];
  const isWide = output.width >= WIDE_ENOUGH;
  const indent = isWide ? WIDTH_OF_RESULT + WIDTH_OF_CHECK + 4 : WIDTH_OF_RESULT + 2;
  const room = output.width - indent;
  const [first = "", ...rest] = wrapped(detail, room);
  if (isWide) output.line(...head, "  ", first);
  else for (const line of [head, [" ".repeat(indent), first]]) output.line(...line);
  const below = [...rest, ...(cure === undefined ? [] : wrapped(`try: ${cure}`, room))];
  for (const line of below) output.line(" ".repeat(indent) + line);
}
