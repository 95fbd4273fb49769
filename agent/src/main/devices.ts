/** `porchlight-agent devices`: the devices that the hub has had on its links, and bringing back one that was deleted in the cloud. */
import { deviceLines, readStatus } from "../ops/index.ts";
import { askRunning, SILENCES } from "./asking.ts";
import { type AddCommand, CommandFailed, EXIT, onDataFolder } from "./command.ts";

export const addDevices: AddCommand = (program, around) => {
  const { clock, out } = around;
  const devices = onDataFolder(program.command("devices"), around)
    .description("the devices of the hub, also those that the cloud does not know")
    .option("--json", "as JSON, for programs")
    .action(async ({ data, json }: { readonly data: string; readonly json?: boolean }) => {
      const answer = await readStatus(data, clock);
      if (answer.kind !== "running") throw new CommandFailed(SILENCES[answer.kind], EXIT.offline);
      const listed = answer.status.devices;
      out(
        json
          ? `${JSON.stringify(listed)}\n`
          : deviceLines(listed)
              .map((line) => `${line}\n`)
              .join(""),
      );
    });
  devices
    .command("add <edgeId>")
    .description("tell the cloud of a device anew, after it was deleted there")
    .action(async (edgeId: string, _options, command) => {
      const { data } = command.optsWithGlobals();
      await askRunning(data, { ask: "devices add", about: { edgeId } }, around);
      out(`${edgeId} is told to the cloud anew\n`);
    });
};
