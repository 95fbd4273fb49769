/** `light`: one of three schemas, by which it says and is told what it is. */
import type { Component } from "../component.ts";
import { jsonLight } from "./light-json.ts";
import { plainLight } from "./light-plain.ts";
import { templateLight } from "./light-template.ts";

export const light: Component = (options) => {
  const schema = options.text("schema") ?? "basic";
  if (schema === "json") return jsonLight(options);
  if (schema === "template") return templateLight(options);
  if (schema === "basic" || schema === "default") return plainLight(options);
  options.leaveAside("badOption", "schema is not one for lights");
  return [];
};
