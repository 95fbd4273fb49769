/** `porchlight pairings`: pairing step by step, on the owner's side, and on the hub's side for makers of hubs. */
import { createPrivateKey, createPublicKey, type KeyObject, sign } from "node:crypto";
import type { Args, Option } from "../../session/args.ts";
import type { Command } from "../../session/command.ts";
import { UsageError } from "../../session/failure.ts";
import { readText } from "../../session/fields.ts";
import { ENVIRONMENT, Places } from "../../session/places.ts";

const CODE = { name: "CODE", summary: "Code that the hub shows: BCDF-GHJK" } as const;

const KEY: Option = {
  name: "key",
  value: "FILE",
  summary: "The hub's private Ed25519 key (PEM: `openssl genpkey -algorithm ed25519`)",
  isRequired: true,
};

/** @throws UsageError */
function keyOf(args: Args): KeyObject {
  const text = readText(args.text("key") ?? "", "--key");
  try {
    const key = createPrivateKey(text);
    if (key.asymmetricKeyType === "ed25519") return key;
  } catch {
    // Report an invalid key like one of the wrong kind: the parser's own message is less helpful.
  }
  throw new UsageError(
    "--key is not an Ed25519 key.",
    "It must be a private key in PEM.",
    "openssl genpkey -algorithm ed25519",
  );
}

export const pairings: readonly Command[] = [
  {
    name: "get",
    summary: "Shows the hub that shows a code",
    parameters: [CODE],
    examples: ["porchlight pairings get BCDF-GHJK"],
    async run({ output, porchlight }, args) {
      output.record(await porchlight.pairings.get(args.word("CODE")));
      output.note("Compare the fingerprint with what the hub itself shows.");
    },
  },
  {
    name: "approve",
    summary: "Approves the hub, and adds it to an environment",
    parameters: [CODE],
    options: [ENVIRONMENT, { name: "alias", value: "ALIAS", summary: "Of the hub" }],
    examples: ["porchlight pairings approve BCDF-GHJK --environment home --alias hub"],
    async run(context, args) {
      const alias = args.text("alias");
      const environmentId = await new Places(context, args).environment();
      const body = { environmentId, ...(alias !== undefined && { alias }) };
      context.output.record(await context.porchlight.pairings.approve(args.word("CODE"), body));
    },
  },
  {
    name: "deny",
    summary: "Refuses the hub",
    parameters: [CODE],
    examples: ["porchlight pairings deny BCDF-GHJK"],
    async run({ output, porchlight }, args) {
      await porchlight.pairings.deny(args.word("CODE"));
      output.note("The hub was refused.");
    },
  },
  {
    name: "begin",
    summary: "Begins a pairing as a hub does: prints a code for people, and one for `pairings poll`",
    options: [
      { name: "edge-id", value: "ID", summary: "Edge ID of the hub: 02-1B-44-11-3A-B7", isRequired: true },
      { name: "agent-version", value: "VERSION", summary: "Version of the hub's program (0.0.0)" },
      KEY,
    ],
    examples: ["porchlight pairings begin --edge-id 02-1B-44-11-3A-B7 --key hub.pem"],
    async run({ output, anonymous }, args) {
      const publicKey = createPublicKey(keyOf(args)).export({ type: "spki", format: "der" }).toString("base64");
      const agentVersion = args.text("agent-version") ?? "0.0.0";
      output.record(await anonymous.pairings.begin({ edgeId: args.text("edge-id") ?? "", agentVersion, publicKey }));
    },
  },
  {
    name: "poll",
    summary: "Polls a pairing as a hub does; prints the hub's token once it is approved",
    options: [KEY],
    examples: ["porchlight pairings poll --key hub.pem < device-code.txt"],
    notes: [
      "The device code comes on stdin: it is the hub's secret. Until somebody approves it, the answer is Pairing Pending.",
    ],
    async run({ output, prompts, anonymous }, args) {
      const key = keyOf(args);
      const deviceCode = (await prompts.piped()).trim();
      const signature = sign(null, Buffer.from(deviceCode), key).toString("base64");
      output.record(await anonymous.pairings.poll({ deviceCode, signature }));
    },
  },
];
