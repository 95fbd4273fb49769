/**
 * What keeps the library from the machine: a file of its own, because it must have run before the library is loaded. A driver's process has
 * an empty environment, so nobody else can set these.
 */
Object.assign(process.env, {
  // Neither files nor storage of its own: the hub keeps what must be kept.
  MATTER_NODEJS_FILESYSTEM: "0",
  MATTER_NODEJS_STORAGE: "0",
  // It looks for a file of settings, and may look here only.
  MATTER_PATH_ROOT: import.meta.dirname,
  MATTER_PATH_CONFIG: `${import.meta.dirname}/matter.json`,
  // Signals, exit codes and unhandled errors are the child program's.
  MATTER_RUNTIME_SIGNALS: "0",
  MATTER_RUNTIME_EXITCODE: "0",
  MATTER_RUNTIME_UNHANDLEDERRORS: "0",
});
