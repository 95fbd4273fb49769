/** `porchlight-agent matter`: how a Matter controller is paired with the bridge of this hub, and which are. */
import { driverAnswer, type MatterBridge, printableValue } from "@porchlight/shared/model";
import { matterVendor } from "@porchlight/shared/names";
import { qrCode } from "../pairing/index.ts";
import { askExactly } from "./asking.ts";
import { type AddCommand, CommandFailed, EXIT, onDataFolder, type Surroundings } from "./command.ts";

export const addMatter: AddCommand = (program, around) => {
  onDataFolder(program.command("matter"), around)
    .description("show the code with which a Matter controller is paired with this hub, and which controllers are")
    .option("--json", "print JSON")
    .action(async ({ data, json }: { readonly data: string; readonly json?: boolean }) => {
      const bridge = await bridgeOf(data, around);
      around.out(
        json ? `${JSON.stringify(bridge)}\n` : bridgeText(printableValue(bridge), process.stdout.isTTY === true),
      );
    });
};

/** @throws CommandFailed when no bridge has told of itself */
async function bridgeOf(data: string, around: Surroundings): Promise<MatterBridge> {
  const { data: answer } = driverAnswer.safeParse(
    await askExactly(data, { ask: "drivers", about: { ask: "drivers" } }, around),
  );
  if (!answer || !("drivers" in answer))
    throw new CommandFailed("an agent of another version runs on this data folder: restart it");
  if (answer.matterBridge) return answer.matterBridge;
  throw new CommandFailed(
    "no Matter bridge runs on this hub: install porchlight-matter-bridge, or see journalctl -u porchlight-matter-bridge",
    EXIT.offline,
  );
}

/** @param isTerminal whether a QR code can be seen */
export function bridgeText(
  { qrCode: text, manualCode, devices, controllers }: MatterBridge,
  isTerminal: boolean,
): string {
  const shown = devices === 1 ? "1 device is shown" : `${devices} devices are shown`;
  const code = text === undefined || manualCode === undefined ? [] : codeLines(text, manualCode, isTerminal);
  const paired = controllers.map(({ vendorId, label }) => {
    const vendor = matterVendor(vendorId) ?? `vendor ${vendorId}`;
    return `  ${label === "" ? vendor : `${vendor}, ${label}`}`;
  });
  const next = "To add another controller, share this bridge from the app of one that has it.";
  const list = paired.length === 0 ? [] : ["controllers:", ...paired, "", next];
  return `${[...code, shown, ...list].join("\n")}\n`;
}

function codeLines(text: string, manualCode: string, isTerminal: boolean): string[] {
  const digits = manualCode.replace(/^(\d{4})(\d{3})(\d{4})$/, "$1-$2-$3");
  return [...(isTerminal ? [qrCode(text)] : []), `code: ${digits}`, `QR:   ${text}`, ""];
}
