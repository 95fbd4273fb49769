/** The front of operations on a running agent: status, health, logs, metrics, backup. */

export { BackupUnusable, completeBackup, restoreBackup, writeBackup } from "./backup.ts";
export type { Check } from "./checks.ts";
export { answersOf, type ReleaseSummary, releaseSummary } from "./control/answers.ts";
export { askAgent, readStatus, type Silence } from "./control/ask-agent.ts";
export { type Answers, ControlSocket } from "./control/control-socket.ts";
export { driverAnswersOf } from "./control/driver-answers.ts";
export { tokenAnswersOf } from "./control/token-answers.ts";
export { examine } from "./examine.ts";
export { LogFiles, LogReader } from "./logs/log-files.ts";
export { isLevel, LEVELS, logLine } from "./logs/log-text.ts";
export { BackupNotTaken, handBackup, takeBackup } from "./maintenance/handed-backup.ts";
export { thisMachine } from "./maintenance/hub-state.ts";
export { type AskMaintenance, type MaintainedHub, Maintenance } from "./maintenance/maintenance.ts";
export { ServiceManager, systemdNotify } from "./service-manager.ts";
export { exitStatusOfHealth, problemsOf, warningsOf } from "./status/health.ts";
export { listenForMetrics, metricsText } from "./status/metrics.ts";
export { Progress } from "./status/progress.ts";
export type { AgentStatus, PairingSummary } from "./status/status-schema.ts";
export { deviceLines, foundLines, statusText, summaryLine, unpairedLines } from "./status/status-text.ts";
