/** The packages for Arduino, ESP-IDF and Zephyr, as `npm run package:firmware` makes them: what each framework wants of them, and their examples proved. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parse } from "yaml";
import { ROOT } from "../../test/parts/program.ts";
import { brokenRules } from "../src/index.ts";
import { proveProgram } from "./process-line.ts";

const has = (program: string) => spawnSync(program, ["--version"]).status === 0;
const text = (...path: readonly string[]) => readFileSync(join(folder, ...path), "utf8");
const VERSION = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")).version;
const HEADER = readFileSync(join(ROOT, "firmware/porchlight.h"), "utf8");
const SIZES = ["FRAME_MAX", "WINDOW", "PROPERTIES_MAX", "DEVICES_MAX", "EVENTS_MAX"];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "porchlight-packages-"));
  execFileSync(process.execPath, [join(ROOT, "scripts/package-firmware.mjs"), folder], { stdio: "ignore" });
});
afterAll(() => rmSync(folder, { recursive: true }));

it("each has the two source files unchanged, and no other copy is in the repository", () => {
  for (const [name, header] of [
    ["arduino/Porchlight", "src"],
    ["esp-idf/porchlight", "include"],
    ["zephyr/porchlight", "include"],
  ]) {
    expect(text(`${name}`, `${header}`, "porchlight.h")).toBe(HEADER);
    expect(text(`${name}`, "src/porchlight.c")).toBe(readFileSync(join(ROOT, "firmware/porchlight.c"), "utf8"));
    expect(text(`${name}`, "LICENSE")).toContain("Apache License");
  }
  const sources = readdirSync(join(ROOT, "firmware"), { recursive: true, encoding: "utf8" });
  expect(sources.filter((path) => /porchlight\.[ch]$/.test(path)).sort()).toEqual(["porchlight.c", "porchlight.h"]);
});

it("no placeholder for the release is left", () => {
  for (const path of readdirSync(folder, { recursive: true, encoding: "utf8" }))
    if (statSync(join(folder, path)).isFile()) expect(text(path), path).not.toMatch(/@[A-Z]+@/);
});

it("the library has every field that the Arduino library specification demands", () => {
  const lines = text("arduino/Porchlight/library.properties").trim().split("\n");
  const fields = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
  );
  expect(fields).toEqual({
    ...{ name: "Porchlight", version: VERSION, author: expect.any(String), maintainer: expect.any(String) },
    ...{ sentence: expect.stringMatching(/^[A-Z].*\.$/), paragraph: expect.any(String), category: "Communication" },
    ...{ url: expect.stringMatching(/^https:/), architectures: "*", includes: "porchlight.h" },
  });
  // A sketch is in a folder of its own name; a keyword and its class are separated by one tab.
  expect(text("arduino/Porchlight/examples/PorchlightLamp/PorchlightLamp.ino")).toContain('#include "porchlight.h"');
  const keywords = text("arduino/Porchlight/keywords.txt").trim().split("\n");
  for (const line of keywords) {
    expect(line).toMatch(/^\w+\t(KEYWORD1|KEYWORD2|LITERAL1)$/);
    expect(HEADER).toMatch(new RegExp(`\\b${line.split("\t")[0]}\\b`));
  }
  const functions = [...HEADER.matchAll(/^[a-z_]\w*\s(pl_\w+)\(/gm)].map(([, name]) => `${name}\tKEYWORD2`);
  expect(keywords).toEqual(expect.arrayContaining(functions));
});

it("the descriptions of the component and of the module parse in their tools' formats", () => {
  expect(parse(text("esp-idf/porchlight/idf_component.yml"))).toEqual({
    ...{
      version: VERSION,
      description: expect.any(String),
      url: expect.stringMatching(/^https:/),
      license: "Apache-2.0",
    },
    dependencies: { idf: ">=5.1" },
  });
  const { name, build } = parse(text("zephyr/porchlight/zephyr/module.yml"));
  expect([name, build.cmake, build.kconfig]).toEqual(["porchlight", "zephyr", "zephyr/Kconfig"]);
  expect(text("zephyr/porchlight", build.cmake, "CMakeLists.txt")).toContain("zephyr_library_named(porchlight)");
});

it.each(["esp-idf/porchlight/Kconfig", "zephyr/porchlight/zephyr/Kconfig"])(
  "%s has the sizes of the header, with its defaults",
  (path) => {
    const kconfig = text(path);
    for (const size of SIZES) {
      const [, ofHeader] = new RegExp(`#define PL_${size} (\\d+)`).exec(HEADER) ?? [];
      const [, least, most, ofKconfig] =
        new RegExp(`config PORCHLIGHT_${size}\\n\\tint ".*"\\n\\trange (\\d+) (\\d+)\\n\\tdefault (\\d+)`).exec(
          kconfig,
        ) ?? [];
      expect([size, ofKconfig]).toEqual([size, ofHeader]);
      expect(Number(ofHeader)).toBeGreaterThanOrEqual(Number(least));
      expect(Number(ofHeader)).toBeLessThanOrEqual(Number(most));
    }
  },
);

/** Headers of a framework by their names; each is the stand-in. */
function standIn(framework: string, source: string): string {
  const headers = join(folder, `${framework}-headers`);
  const names = [...source.matchAll(/^#include [<"]((?:zephyr|driver|freertos)\/.*|esp_.*|nvs.*)[>"]$/gm)].map(
    ([, name = ""]) => name,
  );
  expect(names.length).toBeGreaterThan(5);
  for (const name of names) {
    mkdirSync(dirname(join(headers, name)), { recursive: true });
    writeFileSync(join(headers, name), `#include "${join(ROOT, "firmware-sim/test/frameworks", framework)}.h"\n`);
  }
  return headers;
}

it.each([
  ["esp-idf", "examples/lamp/main/lamp.c"],
  ["zephyr", "samples/lamp/src/main.c"],
])(
  "the example for %s compiles without a warning, and keeps every rule that shows in a few seconds",
  async (framework, example) => {
    const root = join(folder, framework, "porchlight");
    const headers = standIn(framework, text(framework, "porchlight", example));
    const warnings = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Werror", "-fsanitize=address,undefined"];
    const program = join(folder, `${framework}-lamp`);
    execFileSync("cc", [
      ...["-std=gnu11", "-g", ...warnings, `-I${headers}`, `-I${root}/include`, "-o", program],
      ...[join(root, example), join(root, "src/porchlight.c")],
    ]);
    const report = await proveProgram(program, framework);
    expect(brokenRules(report)).toEqual([]);
    expect(report.results.filter(({ verdict }) => verdict.kind === "pass").length).toBeGreaterThan(25);
  },
);

if (has("cmake")) {
  /** The functions of each framework that its CMakeLists.txt calls, as far as they matter here. */
  const FRAMEWORKS = {
    "esp-idf/porchlight": `
      macro(idf_component_register)
        cmake_parse_arguments(IT "" "" "SRCS;INCLUDE_DIRS;REQUIRES" \${ARGN})
        set(COMPONENT_LIB porchlight)
        add_library(porchlight \${IT_SRCS})
        target_include_directories(porchlight PUBLIC \${IT_INCLUDE_DIRS})
      endmacro()`,
    "zephyr/porchlight/zephyr": `
      add_library(zephyr_interface INTERFACE)
      set(CONFIG_PORCHLIGHT y)
      macro(zephyr_library_named name)
        add_library(\${name})
        target_link_libraries(\${name} PUBLIC zephyr_interface)
      endmacro()
      macro(zephyr_library_sources)
        target_sources(porchlight PRIVATE \${ARGN})
      endmacro()
      macro(zephyr_include_directories)
        target_include_directories(zephyr_interface INTERFACE \${ARGN})
      endmacro()
      macro(zephyr_compile_definitions)
        target_compile_definitions(zephyr_interface INTERFACE \${ARGN})
      endmacro()`,
  };

  it.each(Object.entries(FRAMEWORKS))(
    "CMake builds %s, and a program has the sizes of the configuration",
    (path, functions) => {
      const project = join(folder, `cmake-${path.replaceAll("/", "-")}`);
      mkdirSync(project);
      const values = SIZES.map((size, at) => `set(CONFIG_PORCHLIGHT_${size} ${at === 0 ? 517 : at + 5})`);
      writeFileSync(
        join(project, "CMakeLists.txt"),
        [
          "cmake_minimum_required(VERSION 3.16)",
          "project(it C)",
          ...values,
          functions,
          `add_subdirectory(${join(folder, path)} it)`,
          "add_executable(sizes sizes.c)",
          "target_link_libraries(sizes porchlight)",
          "",
        ].join("\n"),
      );
      writeFileSync(
        join(project, "sizes.c"),
        `#include <stdio.h>\n#include "porchlight.h"\nint main(void) { pl_node node; pl_config config = {0}; printf("%d %d %d %d %d %d", ${SIZES.map((size) => `PL_${size}`).join(", ")}, pl_start(&node, &config, 0, 0)); }\n`,
      );
      const run = (...words: readonly string[]) =>
        execFileSync("cmake", words, { stdio: ["ignore", "ignore", "inherit"] });
      run("-S", project, "-B", join(project, "build"));
      run("--build", join(project, "build"));
      expect(execFileSync(join(project, "build/sizes"), { encoding: "utf8" })).toBe("517 6 7 8 9 1");
    },
  );
} else it("are not configured by CMake here, because it is not installed", () => expect(has("cmake")).toBe(false));
