/** What a chart shows as a file, made by the service: CSV of the same time in the same resolution. */
import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { Failure } from "../../kit/display/failure.tsx";
import { keyOf, selectorOf } from "../../live/target.ts";
import { useApi } from "../../session/context.tsx";
import { serviceTimeOf } from "../plan/time.ts";
import { hereTimeZone } from "../series/fetch.ts";
import type { Subject } from "../series/subject.ts";
import type { ChartSeries } from "../series/use-series.ts";
import { joined } from "./csv.ts";

export function CsvButton({
  subjects,
  series,
}: {
  readonly subjects: readonly Subject[];
  readonly series: ChartSeries;
}) {
  const api = useApi();
  const { span, plans } = series;
  const download = useMutation({
    mutationFn: async () => {
      const texts: string[] = [];
      for (const { target } of subjects) {
        const resolution = plans.find(({ key }) => key === keyOf(target))?.resolution;
        const timeZone = resolution === "1d" || resolution === "1mo" ? hereTimeZone() : undefined;
        const range = { from: serviceTimeOf(span.from), to: serviceTimeOf(span.to) };
        texts.push(
          await api.devices.historyCsv(target.deviceId, selectorOf(target), { ...range, resolution, timeZone }),
        );
      }
      for (const [index, text] of joined(texts).entries()) save(text, index);
    },
  });
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        disabled={plans.length === 0}
        loading={download.isPending}
        onClick={() => download.mutate()}
      >
        Download CSV
      </Button>
      {download.error && <Failure error={download.error} putAway={() => download.reset()} />}
    </>
  );
}

function save(text: string, index: number): void {
  const url = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = `porchlight-history${index === 0 ? "" : `-${index + 1}`}.csv`;
  link.click();
  // The browser has taken it up by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
