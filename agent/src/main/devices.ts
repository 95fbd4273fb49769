/** `porchlight-agent devices`: lists the hub's devices and those that wait to be admitted or paired, and announces, admits and pairs them. */
import { printableValue } from "@porchlight/shared/model";
import { deviceLines, foundLines, readStatus, unpairedLines } from "../ops/index.ts";
import { askRunning, SILENCES } from "./backup.ts";
import { type AddCommand, CommandFailed, EXIT, onDataFolder } from "./command.ts";
import { addPairDevice } from "./pair-device.ts";

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
