/** Exports: all data that the service keeps of an account, as one archive that is made in the background. */

export { allExporters, type ExportersDeps } from "./contents.ts";
export { ExportWorker, eraseExports } from "./export-worker.ts";
export { type Download, Exports, entityTag } from "./exports.ts";
