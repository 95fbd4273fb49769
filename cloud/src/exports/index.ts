/** Exports: all data that the service keeps of an account, as one archive that is made in the background. */
export { ExportWorker, eraseExports } from "./export-worker.ts";
export { type Download, Exports, entityTag } from "./exports.ts";
export { allExporters, type ExportersDeps } from "./table.ts";
