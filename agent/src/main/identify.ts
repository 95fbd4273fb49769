/** `porchlight-agent identify`: makes a device show itself, so that one can tell which of several lamps it is. */
import { askRunning } from "./asking.ts";
import { type AddCommand, onDataFolder } from "./command.ts";

/** A device may take its tries, each with its silence. */
const WITHIN_MS = 15_000;

export const addIdentify: AddCommand = (program, around) => {
  onDataFolder(program.command("identify <edgeId>"), around)
    .description("make a device blink, or show itself, for 30 seconds")
    .option("--stop", "make it stop")
    .action(async (edgeId: string, { data, stop }: { readonly data: string; readonly stop?: boolean }) => {
      await askRunning(data, { ask: "identify", about: { edgeId, active: !stop } }, around, WITHIN_MS);
      around.out(stop ? `${edgeId} has stopped\n` : `${edgeId} shows itself for 30 seconds\n`);
    });
};
