/** The OpenAPI document as a person wants to read it: one token to enter, and errors as links to their pages. */

const METHODS = ["get", "post", "put", "delete"];
/** Headers that every route takes: the guide tells of them once. */
const EVERYWHERE = ["x-api-version", "x-request-id"];

/** Changes `spec` in place, for it is shown and not kept. @param origin where calls are to go */
export function madeReadable(spec, origin) {
  // Calls go to where this page is from, whatever address the service has for others: no other may be reached from here.
  spec.servers = [{ url: origin }];
  const described =
    "Account, server or user: whichever you enter is sent as it is, and kept in this page's memory only.";
  spec.components.securitySchemes = { token: { type: "http", scheme: "bearer", description: described } };
  for (const path of Object.values(spec.paths))
    for (const method of METHODS) if (path[method]) simplify(path[method], spec);
  return spec;
}

function simplify(operation, spec) {
  const kinds = [...new Set((operation.security ?? []).flatMap((each) => Object.keys(each)))];
  if (kinds.length > 0) {
    operation.security = [{ token: [] }];
    const named = kinds.filter((kind) => kind !== "token");
    const takes = named.length > 0 ? `Takes tokens of: ${named.join(", ")}.` : "";
    operation.description = [operation.description, takes].filter(Boolean).join("\n\n");
  }
  operation.parameters = operation.parameters
    ?.map((parameter) => resolved(parameter, spec))
    .filter(({ name }) => !EVERYWHERE.includes(name.toLowerCase()));
  for (const [status, response] of Object.entries(operation.responses)) {
    const shown = { ...resolved(response, spec) };
    delete shown.headers;
    if (Number(status) >= 400) {
      shown.description = shown.description.split(" · ").map(linked).join(" · ");
      delete shown.content;
    }
    operation.responses[status] = shown;
  }
}

/** The name of an error as a link to its page. */
function linked(name) {
  return /^[A-Z][A-Za-z -]+$/.test(name) ? `[${name}](/docs/errors/${name.toLowerCase().replaceAll(" ", "-")})` : name;
}

function resolved(part, spec) {
  const at = part.$ref?.slice(2).split("/");
  return at ? at.reduce((inside, step) => inside[step], spec) : part;
}
