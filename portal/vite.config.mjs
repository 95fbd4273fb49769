import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import manifest from "../package.json" with { type: "json" };
import { licences } from "../scripts/portal/licences.mjs";

/** The log-in and every form. */
const FIELDS = /@mantine\/core\/esm\/components\/(?:Input|InlineInput|TextInput|PasswordInput|Checkbox)\//;
/** Every page that shows devices and their controls; nothing that places popovers, which not every page needs. */
const DEVICES = new RegExp(
  [
    "portal/src/devices/(?!rename|new-names|use-new-names|json-field)",
    "portal/src/kit/(?:text/(?!hint-bubble)|display/(?:table|rows|facts|outcome|state)\\b)",
    "shared/src/presentation/(?:values|spans)",
    "@mantine/core/esm/components/(?:Switch|Tabs|NativeSelect)/",
  ].join("|"),
);

// `npm run build:portal` builds it; `vite` in this folder serves it while it is worked on, beside a cloud on port 8080.
export default defineConfig({
  plugins: [react(), licences()],
  define: { __PORTAL_VERSION__: JSON.stringify(manifest.version) },
  html: { cspNonce: "__NONCE__" },
  build: {
    target: "es2023",
    // Nothing inline: the page's own policy would refuse it.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // One style sheet, loaded with the page: those of single pages are 4 KB together, and would be gone after an upgrade.
    cssCodeSplit: false,
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        // What is needed together is one file: in several it is larger, and asked for several times.
        codeSplitting: {
          groups: [
            { name: "first", tags: ["$initial"], priority: 3 },
            { name: "fields", test: FIELDS, priority: 2 },
            { name: "devices", test: DEVICES, priority: 1 },
          ],
        },
      },
    },
  },
  server: { proxy: { "/api": "http://127.0.0.1:8080", "/docs": "http://127.0.0.1:8080" } },
});
