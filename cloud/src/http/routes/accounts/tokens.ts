/** `/api/token` and the tokens of users, servers and clients. */
import { newToken, newUserToken, page, presentedToken, token } from "@porchlight/shared/api";
import type { ErrorName } from "@porchlight/shared/kernel";
import { PAGING, readBoolean } from "@porchlight/shared/rest";
import { type SubjectKind, type SubjectTokens, tokenResource } from "../../../accounts/index.ts";
import { type BodyRule, bodyOf } from "../../routing/body-rules.ts";
import type { PagePart, Pager } from "../../routing/page.ts";
import { A, A_S, A_S_U, created, defineRoute, done, ok, type Route, type Tag } from "../../routing/route.ts";

interface Family {
  readonly kind: SubjectKind;
  readonly path: "/api/users" | "/api/servers" | "/api/clients";
  readonly tag: Tag;
  /** Prefix of `Token` in the names of the operations. */
  readonly noun: string;
  readonly word: string;
  readonly tokens: typeof A | typeof A_S;
  readonly body: BodyRule<{ readonly expiresInSeconds?: number | undefined }>;
  readonly errors: readonly ErrorName[];
}

const FAMILIES: readonly Family[] = [
  {
    kind: "usr",
    path: "/api/users",
    tag: "users",
    noun: "User",
    word: "user",
    tokens: A_S,
    body: bodyOf(newUserToken, { optional: true }),
    errors: ["User Invalid", "User Not Found"],
  },
  {
    kind: "srv",
    path: "/api/servers",
    tag: "servers",
    noun: "Server",
    word: "server",
    tokens: A,
    body: bodyOf(newToken, { optional: true }),
    errors: ["Server Invalid", "Server Not Found"],
  },
  {
    kind: "cli",
    path: "/api/clients",
    tag: "clients",
    noun: "Client",
    word: "client",
    tokens: A_S,
    body: bodyOf(newToken, { optional: true }),
    errors: ["Client Invalid", "Client Not Found"],
  },
];

export function tokenRoutes(deps: { subjectTokens: SubjectTokens; pager: Pager }): Route[] {
  const { subjectTokens } = deps;
  return [
    defineRoute({
      method: "GET",
      path: "/api/token",
      operationId: "getToken",
      tag: "tokens",
      summary: "Show the token that is sent",
      tokens: A_S_U,
      answers: { 200: presentedToken },
      handle: async (call) => ok(await subjectTokens.presented(call.caller)),
    }),
    ...FAMILIES.flatMap((family) => ofFamily(family, deps)),
  ];
}

function ofFamily(family: Family, deps: { subjectTokens: SubjectTokens; pager: Pager }): Route[] {
  const { kind, path, tag, noun, word, tokens, body, errors } = family;
  const { subjectTokens, pager } = deps;
  return [
    defineRoute({
      method: "GET",
      path: `${path}/:id/tokens`,
      operationId: `list${noun}Tokens`,
      tag,
      summary: `List the tokens of a ${word}`,
      tokens,
      query: kind === "srv" ? [...PAGING, "reveal"] : PAGING,
      answers: { 200: page(token) },
      errors,
      handle: async (call) => {
        const asked = pager.read(call);
        const { caller, params } = call;
        const isRead = kind === "srv" && (readBoolean("reveal", call.query.reveal) ?? true);
        if (isRead) await subjectTokens.recordReading(caller, params.id);
        const list = ({ after, limit }: PagePart) => subjectTokens.list(caller, kind, params.id, after, limit);
        return pager.answer(asked, list, (row) => (isRead ? subjectTokens.revealed(row) : tokenResource(row)));
      },
    }),
    defineRoute({
      method: "POST",
      whenFull: "refused",
      path: `${path}/:id/tokens`,
      operationId: `create${noun}Token`,
      tag,
      summary: `Create a token for a ${word}`,
      tokens,
      needsVerifiedAddress: true,
      takesIdempotencyKey: true,
      body,
      answers: { 201: token },
      location: 201,
      errors: [...errors],
      handle: async (call) => {
        const life = call.body.expiresInSeconds;
        const { subjectId, token } = await subjectTokens.create(call.caller, kind, call.params.id, life);
        return created(token, `${path}/${subjectId}/tokens/${token.id}`);
      },
    }),
    defineRoute({
      method: "DELETE",
      path: `${path}/:id/tokens/:tokenId`,
      operationId: `delete${noun}Token`,
      tag,
      summary: `Revoke a token of a ${word}`,
      tokens,
      answers: { 200: undefined },
      errors: [...errors, "Token Not Found"],
      handle: async (call) => {
        await subjectTokens.revoke(call.caller, kind, call.params.id, call.params.tokenId);
        return done();
      },
    }),
  ];
}
