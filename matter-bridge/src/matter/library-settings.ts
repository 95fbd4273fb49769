/**
 * What the library may take from the machine: nothing but what this program gives it. A file of its own, because it must have run before the
 * library is loaded, which reads the program's arguments (a `--log-level` is one of its own too), its environment and a file in the home folder.
 */
import { config } from "@matter/nodejs/config";

config.loadProcessArgv = false;
config.loadProcessEnv = false;
config.loadConfigFile = false;
// Signals, exit codes and what is not caught are the program's.
config.trapProcessSignals = false;
config.trapUnhandledErrors = false;
config.setProcessExitCodeOnError = false;
