/**
 * Environment of the library, which keeps it away from the machine. Apart, because it must run before the library is loaded. A driver's
 * process has an empty environment, so these variables have no other source.
 */
Object.assign(process.env, {
  // No files and no storage of its own: the hub stores everything.
  MATTER_NODEJS_FILESYSTEM: "0",
  MATTER_NODEJS_STORAGE: "0",
  // Restricts the library's search for a settings file to this folder.
  MATTER_PATH_ROOT: import.meta.dirname,
  MATTER_PATH_CONFIG: `${import.meta.dirname}/matter.json`,
  // The child program handles signals, exit codes and unhandled errors.
  MATTER_RUNTIME_SIGNALS: "0",
  MATTER_RUNTIME_EXITCODE: "0",
  MATTER_RUNTIME_UNHANDLEDERRORS: "0",
});
