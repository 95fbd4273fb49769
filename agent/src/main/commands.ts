/** Every command of `porchlight-agent`: its own file, so that `run` is loaded without the others. */
import { addBackup, addRestore } from "./backup.ts";
import { addCheckConfig } from "./check-config.ts";
import type { AddCommand } from "./command.ts";
import { addDevices } from "./devices.ts";
import { addDoctor } from "./doctor.ts";
import { addDrivers } from "./drivers.ts";
import { addIdentify } from "./identify.ts";
import { addLogs } from "./logs.ts";
import { addMatter } from "./matter.ts";
import { addPair } from "./pair.ts";
import { addRun } from "./run.ts";
import { addStatus } from "./status.ts";
import { addToken } from "./token.ts";
import { addUnpair } from "./unpair.ts";

/** In the order in which `--help` shows them. */
export const COMMANDS: readonly AddCommand[] = [
  addRun,
  addPair,
  addUnpair,
  addStatus,
  addDevices,
  addDrivers,
  addIdentify,
  addMatter,
  addToken,
  addLogs,
  addDoctor,
  addBackup,
  addRestore,
  addCheckConfig,
];
