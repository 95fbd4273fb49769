/** `porchlight doctor`: looks at everything between this console and the hubs, and says the cure of what is wrong. */
import type { Finding } from "../../doctor/finding.ts";
import { addressFinding, settingsFinding } from "../../doctor/here.ts";
import { certificateFinding, nameFinding, serviceFindings } from "../../doctor/network.ts";
import { hubFindings, tokenFinding } from "../../doctor/rights.ts";
import { type Style, styled } from "../../render/style.ts";
import { padded } from "../../render/width.ts";
import { wrapped } from "../../render/wrap.ts";
import type { Action } from "../../session/command.ts";
import type { Context } from "../../session/context.ts";
import { Failure } from "../../session/failure.ts";

const STATES: Readonly<Record<Finding["state"], { style: Style; word: string }>> = {
  good: { style: "green", word: "ok" },
  doubtful: { style: "yellow", word: "look" },
  bad: { style: "red", word: "bad" },
};
const WIDTH_OF_CHECK = 12;
/** Narrower than this, what was found stands below what was looked at. */
const WIDE_ENOUGH = 60;

export const doctor: Action = {
  examples: ["porchlight doctor", "porchlight doctor --api-url https://porchlight.example --json"],
  notes: [
    "Looks at the settings file, the address, its name and certificate, the service with its version and clock, the token, and the hubs. What needs something that is bad is left out.",
    "The exit status is 0 when nothing is bad, and otherwise that of the first thing that is.",
  ],
  async run(context) {
    const { output } = context;
    const found: Finding[] = [];
    for await (const finding of findings(context)) {
      found.push(finding);
      if (!output.isJson) show(context, finding);
    }
    if (output.isJson) output.json({ items: found.map(({ exit: _, ...finding }) => finding) });
    const wrong = found.filter(({ state }) => state === "bad");
    const [first] = wrong;
    if (first)
      throw new Failure(
        first.exit ?? "failed",
        wrong.length === 1 ? "One thing is bad." : `${wrong.length} things are bad.`,
        first.detail,
        first.cure ?? "porchlight help",
      );
  },
};

/** In the order in which one needs the other. @throws PorchlightError when the service goes away in the middle */
async function* findings(context: Context): AsyncGenerator<Finding, void, undefined> {
  const { apiUrl } = context.connection;
  yield settingsFinding(context);
  yield addressFinding(context);
  const name = await nameFinding(apiUrl);
  yield name;
  if (name.state === "bad") return;
  const certificate = await certificateFinding(apiUrl, context.clock);
  if (certificate) yield certificate;
  if (certificate?.state === "bad") return;
  const service = await serviceFindings(context);
  yield* service;
  if (service.some(({ state }) => state === "bad")) return;
  const token = await tokenFinding(context);
  yield token;
  if (token.state !== "bad") yield* await hubFindings(context);
}

function show({ output }: Context, { check, state, detail, cure }: Finding): void {
  const { style, word } = STATES[state];
  if (!output.isTerminal) {
    output.tabbed([state, check, detail, cure ?? ""]);
    return;
  }
  const head = [styled(style, padded(word, 4)), "  ", styled("dim", padded(check, WIDTH_OF_CHECK))];
  const isWide = output.width >= WIDE_ENOUGH;
  const indent = isWide ? WIDTH_OF_CHECK + 8 : 6;
  const room = output.width - indent;
  const [first = "", ...rest] = wrapped(detail, room);
  if (isWide) output.line(...head, "  ", first);
  else for (const line of [head, [" ".repeat(indent), first]]) output.line(...line);
  const below = [...rest, ...(cure === undefined ? [] : wrapped(`try: ${cure}`, room))];
  for (const line of below) output.line(" ".repeat(indent) + line);
}
