/** Templates that would hold the event loop, each in its own way, and a message that makes the most of them. */

const TEXT = "{% set s = 'a' * 16384 %}";
const RARE = "{% set p = 'b' ~ 'a' * 8000 %}";
const FOR_EVER = [
  "(?:(?:a+)+){}",
  "(?:a+)+$",
  "(?:(?:(?:a+)+)+)+$",
  "(?:a|aa)+$",
  "(.*)(.*)(.*)(.*)(.*)b|a",
  "a.*b|a",
  "(?:a?){60}a{60}$",
  "(?i)(?:x|y|z|a){80}b",
];
const again = (statement: string) => `{% for i in range(1000) %}${statement}{% endfor %}`;

export const HOSTILE_TEMPLATES: readonly string[] = [
  ...FOR_EVER.flatMap((pattern) => [
    `{{ value is search('${pattern}') }}`,
    `{{ value | regex_replace('${pattern}', '') }}`,
    `{{ value | regex_findall('${pattern}') | length }}`,
    again(`{{ value is search('${pattern}' ~ i) }}`),
  ]),
  again("{{ 'a' is search('(?i)(\\\\w|x){90}' ~ i) }}"),
  again("{{ 'a' is search('[a-zA-Z\\\\s]' * 15 ~ i, true) }}"),
  `${TEXT}{{ s | regex_replace('(a)', '\\\\1') | length }}`,
  `${TEXT}${RARE}${again("{{ s.find(p) }}{{ p in s }}")}`,
  `${TEXT}${RARE}${again("{{ s.count(p) }}{{ s | replace(p, '') is true }}")}`,
  `{% set c = 'b' * 16000 ~ 'a' %}${again("{{ value.strip(c) is true }}")}`,
  `{% set p = 'a.' * 8000 %}${again("{% set b = value_json.list | map(attribute=p) | list %}")}`,
  `{% set p = 'a.' * 8000 %}${again("{% set b = value_json.list | sort(attribute=p) %}")}`,
  again("{% set b = value_json.list | sort %}"),
  again("{% set b = value_json.list | unique | list %}"),
  again("{{ value_json.list == value_json.list }}"),
  again("{{ value_json.list.index('no') if 'no' in value_json.list }}"),
  again("{% set b = value[::-1] %}"),
  again("{% set b = value | reverse %}"),
  again("{% set b = value.split('a', 1) is true %}"),
  again("{% set b = value.split(none, 3) is true %}"),
  again("{% set b = value | truncate(5) %}"),
  again("{% set b = value.title() is true %}"),
  again("{% set b = value | trim is true %}"),
  again("{% set b = value | from_json is true %}"),
  again("{% set b = value_json | tojson %}"),
  again("{% set b = dict(value_json) %}{% set c = value_json.items() %}"),
  again("{% set b = '%016000d' % i %}"),
  again("{% set b = value_json.digits | int(0) %}{% set c = value_json.digits | float(0) %}"),
];

/** A JSON object of 60 kB. */
export const HOSTILE_MESSAGE: string = JSON.stringify({
  list: Array.from({ length: 2000 }, (_, at) => `a${at}`),
  text: "a".repeat(20_000),
  digits: "1".repeat(15_000),
});
