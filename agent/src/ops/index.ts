/** The front of operations on a running agent: status, health, logs, metrics, backup. */

export { BackupUnusable, completeBackup, restoreBackup, writeBackup } from "./backup.ts";
export { answersOf, driverAnswersOf, type ReleaseSummary, releaseSummary, tokenAnswersOf } from "./control-answers.ts";
export { type Answers, askAgent, ControlSocket, readStatus, type Silence } from "./control-socket.ts";
export { type Check, examine } from "./examine.ts";
export { exitStatusOfHealth, problemsOf, warningsOf } from "./health.ts";
export { BackupNotTaken, handBackup, takeBackup } from "./kept-backups.ts";
export { isLevel, LEVELS, LogFiles, LogReader, logLine } from "./log-files.ts";
export { type AskMaintenance, type MaintainedHub, Maintenance, thisMachine } from "./maintenance.ts";
export { listenForMetrics, metricsText } from "./metrics.ts";
export { Progress, ServiceManager, systemdNotify } from "./service-manager.ts";
export type { AgentStatus, PairingSummary } from "./status-schema.ts";
export { deviceLines, foundLines, statusText, summaryLine, unpairedLines } from "./status-text.ts";
