/**
 * Keeps the library away from the machine's own configuration. Apart, because it must run before the library is loaded, which reads the
 * program's arguments (it has its own `--log-level`), the environment and a file in the home folder.
 */
import { config } from "@matter/nodejs/config";

config.loadProcessArgv = false;
config.loadProcessEnv = false;
config.loadConfigFile = false;
// The program handles signals, exit codes and uncaught errors itself.
config.trapProcessSignals = false;
config.trapUnhandledErrors = false;
config.setProcessExitCodeOnError = false;
