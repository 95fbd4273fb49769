/** `/api/account/export`: all data that the service keeps of the account, as one archive. */
import { Readable } from "node:stream";
import { accountExport, exportStart } from "@porchlight/shared/api";
import { type Download, type Exports, entityTag } from "../../../exports/index.ts";
import { bodyOf } from "../../routing/body-rules.ts";
import { A, type Answer, defineRoute, ok, type Route } from "../../routing/route.ts";

const PATH = "/api/account/export";

export function exportRoutes({ exports }: { readonly exports: Exports }): Route[] {
  return [
    defineRoute({
      method: "POST",
      whenFull: {
        goesOn: "an owner takes the data along before deleting it; one archive of each account, a few starts a day",
      },
      path: PATH,
      operationId: "startAccountExport",
      tag: "accounts",
      summary: "Start an export of everything that the service keeps of the account, with the current password",
      tokens: A,
      takesIdempotencyKey: true,
      body: bodyOf(exportStart),
      answers: { 202: accountExport },
      location: 202,
      errors: ["Password Incorrect", "Rate Limit Exceeded"],
      handle: async (call) => ({
        status: 202,
        body: await exports.start(call.caller, call.body.currentPassword),
        headers: { location: PATH },
      }),
    }),
    defineRoute({
      method: "GET",
      path: PATH,
      operationId: "getAccountExport",
      tag: "accounts",
      summary: "Show the state of the last export of the account",
      tokens: A,
      answers: { 200: accountExport },
      handle: async (call) => ok(await exports.get(call.caller)),
    }),
    defineRoute({
      method: "GET",
      path: `${PATH}/archive`,
      operationId: "downloadAccountExport",
      tag: "accounts",
      summary: "Download the archive of the last export of the account, whole or a range of its bytes",
      tokens: A,
      answers: { 200: undefined, 206: undefined },
      media: "application/zip",
      hasRanges: true,
      errors: ["Export Not Found"],
      handle: async (call) => {
        const { isHead, address } = call;
        const asked = { range: call.header("range"), ifRange: call.header("if-range"), isHead, address };
        return archiveAnswer(await exports.download(call.caller, asked), isHead);
      },
    }),
  ];
}

function archiveAnswer({ id, size, range, fileName, read }: Download, isHead: boolean): Answer {
  const length = range ? range.last - range.first + 1 : size;
  return {
    status: range ? 206 : 200,
    body: isHead ? Readable.from([]) : Readable.from(read(), { objectMode: false }),
    media: "application/zip",
    headers: {
      "content-length": String(length),
      ...(range && { "content-range": `bytes ${range.first}-${range.last}/${size}` }),
      "content-disposition": `attachment; filename="${fileName}"`,
      "accept-ranges": "bytes",
      // The archive is personal, and it can be deleted.
      "cache-control": "private, no-store",
      etag: entityTag(id),
    },
  };
}
