/** Exports: all data that the service keeps of an account, as one archive that is made in the background. */
export { ExportWorker } from "./export-worker.ts";
export { allExporters, type ExportersDeps } from "./table.ts";
export { type Download, Exports, entityTag } from "./exports.ts";
export { eraseExports } from "./sweep.ts";
