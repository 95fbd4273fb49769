/*
 * The device end of the Porchlight device protocol, version 1: see porchlight.h, and docs/contract/device-protocol.md for the rules whose
 * numbers stand in parentheses.
 *
 * From the bottom up: CBOR out, CBOR in, frames out, descriptions, reports, requests, life, frames in.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "porchlight.h"

#include <float.h>
#include <string.h>

/* Message types (section 4). */
enum {
  HELLO = 1, HELLO_ACK, DESCRIBE, DESCRIPTION, READ, VALUE, WRITE, WRITTEN,
  REPORT, ACK, PING, PONG, FAILED, CHANGED, IDENTIFY, WHO
};
enum { GREETING, LIVE };                             /* session */
enum { RX_FRAME, RX_ESCAPED, RX_BAD_ESCAPE, RX_LONG }; /* of the frame that arrives */
enum { TX_IDLE, TX_BEGIN, TX_BODY, TX_ESCAPED };
enum { NOTHING, A_PROPERTY, AN_EVENT, THE_DEVICES }; /* what is told and not acknowledged */

#define END 0xC0u
#define ESC 0xDBu
#define LARGEST INT64_C(9007199254740991) /* 2^53-1 (C2) */
#define DEPTH 8                           /* C6 */

/* Milliseconds. */
#define HELLO_EVERY 1000u
#define HELLO_SLOW 10000u     /* after a minute (S1) */
#define HELLO_PATIENCE 60000u
#define HELLO_REFUSED 60000u  /* S6 */
#define SILENCE 5000u         /* A2 */
#define PING_EVERY 1000u
#define PINGS 3
#define REPORT_AGAIN 500u
#define REPORT_SPACING 250u   /* P8 */

#if PL_WINDOW < 1 || PL_WINDOW > 8
#error "PL_WINDOW must be 1 to 8 (win of HELLO)"
#endif

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Whether a time has come; times wrap. */
static bool is_due(uint32_t at, uint32_t now) { return (uint32_t)(now - at) < UINT32_C(0x80000000); }

static uint16_t crc_of(const uint8_t *bytes, size_t length) {
  uint16_t crc = 0xFFFF;
  while (length-- > 0) {
    crc = (uint16_t)(crc ^ (uint16_t)(*bytes++ << 8));
    for (int bit = 0; bit < 8; bit++) crc = (uint16_t)(crc & 0x8000u ? (uint16_t)(crc << 1) ^ 0x1021u : (uint16_t)(crc << 1));
  }
  return crc;
}

/* ---- CBOR out: definite lengths, shortest forms (C1, C2) ---- */

/* Writes, or only measures when `at` is NULL; the hash tells two of them apart without keeping either. */
typedef struct {
  uint8_t *at;
  size_t length, capacity;
  uint32_t hash;
} writer;

static void begin(writer *out, uint8_t *at, size_t capacity) {
  out->at = at;
  out->length = 0;
  out->capacity = capacity;
  out->hash = UINT32_C(2166136261);
}

static void measure(writer *out) { begin(out, NULL, SIZE_MAX); }

static void put(writer *out, uint8_t byte) {
  if (out->at && out->length < out->capacity) out->at[out->length] = byte;
  out->length++;
  out->hash = (out->hash ^ byte) * UINT32_C(16777619);
}

static void put_bytes(writer *out, const char *bytes, size_t length) {
  for (size_t at = 0; at < length; at++) put(out, (uint8_t)bytes[at]);
}

static void put_big_endian(writer *out, uint32_t number, unsigned width) {
  while (width-- > 0) put(out, (uint8_t)(number >> (8 * width)));
}

/* The beginning of an item: its major type, and a number in the shortest form. */
static void put_head(writer *out, unsigned major, uint32_t number) {
  unsigned const type = major << 5;
  if (number < 24) {
    put(out, (uint8_t)(type | number));
    return;
  }
  unsigned const size = number <= 0xFF ? 0 : number <= 0xFFFF ? 1 : 2;
  put(out, (uint8_t)(type | (24 + size)));
  put_big_endian(out, number, 1u << size);
}

static void put_long(writer *out, unsigned first, uint64_t number) {
  put(out, (uint8_t)first);
  put_big_endian(out, (uint32_t)(number >> 32), 4);
  put_big_endian(out, (uint32_t)number, 4);
}

static void put_unsigned(writer *out, uint32_t number) { put_head(out, 0, number); }
static void put_array(writer *out, size_t count) { put_head(out, 4, (uint32_t)count); }
static void put_map(writer *out, size_t count) { put_head(out, 5, (uint32_t)count); }

static void put_text(writer *out, const char *text) {
  size_t const length = strlen(text);
  put_head(out, 3, (uint32_t)length);
  put_bytes(out, text, length);
}

static void put_integer(writer *out, int64_t number) {
  unsigned const major = number < 0;
  uint64_t const size = (uint64_t)(major ? -1 - number : number);
  if (size > UINT32_MAX) put_long(out, major << 5 | 27u, size);
  else put_head(out, major, (uint32_t)size);
}

/* A whole number as an integer; false when it is none, or too large for one (C2). */
static bool is_whole(double number, int64_t *out) {
  if (!(number >= -(double)LARGEST && number <= (double)LARGEST)) return false;
  *out = (int64_t)number;
  return (double)*out == number;
}

static void put_number(writer *out, double number) {
  int64_t whole;
  if (is_whole(number, &whole)) {
    put_integer(out, whole);
    return;
  }
  float const single = (float)number;
  if (sizeof(double) == sizeof(float) || (double)single == number) {
    uint32_t bits;
    memcpy(&bits, &single, sizeof bits);
    put(out, 0xFA);
    put_big_endian(out, bits, 4);
  } else {
    uint64_t bits = 0;
    memcpy(&bits, &number, sizeof number);
    put_long(out, 0xFB, bits);
  }
}

static void put_value(writer *out, const pl_value *value) {
  switch (value->type) {
    case PL_BOOLEAN: put(out, value->as.boolean ? 0xF5 : 0xF4); break;
    case PL_INTEGER: put_integer(out, value->as.integer); break;
    case PL_NUMBER: put_number(out, value->as.number); break;
    case PL_TEXT:
      put_head(out, 3, (uint32_t)value->as.text.length);
      put_bytes(out, value->as.text.bytes, value->as.text.length);
      break;
    case PL_JSON: put_bytes(out, value->as.text.bytes, value->as.text.length); break;
    case PL_NULL: put(out, 0xF6); break;
  }
}

static void put_keyed(writer *out, const char *key, const char *text) {
  if (!text) return;
  put_text(out, key);
  put_text(out, text);
}

/* ---- CBOR in: one pass says whether a body keeps the profile (C4 to C8); what reads it afterwards can trust it ---- */

typedef struct {
  const uint8_t *at, *end;
} reader;

/* The beginning of an item. Of a float `number` holds its bits. */
typedef struct {
  unsigned major, width;
  uint64_t number;
} head;

static bool take_head(reader *in, head *out) {
  if (in->at == in->end) return false;
  unsigned const first = *in->at++;
  unsigned const low = first & 31u;
  out->major = first >> 5;
  out->width = low < 24 ? 0 : low == 24 ? 1 : low == 25 ? 2 : low == 26 ? 4 : low == 27 ? 8 : 9;
  if (out->width > 8 || (size_t)(in->end - in->at) < out->width) return false;
  out->number = low;
  if (out->width > 0) out->number = 0;
  for (unsigned each = 0; each < out->width; each++) out->number = out->number << 8 | *in->at++;
  return true;
}

/* `digits` times 2 to the `exponent`. */
static double scaled(uint64_t digits, int exponent) {
  double number = (double)digits;
  for (; exponent > 0; exponent--) number *= 2;
  for (; exponent < 0; exponent++) number /= 2;
  return number;
}

/* A float of 2, 4 or 8 bytes; false when it is no number. */
static bool float_of(const head *item, double *out) {
  uint32_t const low = (uint32_t)item->number;
  uint32_t const half = low >> 10 & 31u;
  float single;
  if (item->width == 4) {
    memcpy(&single, &low, sizeof single);
    *out = (double)single;
  } else if (item->width == 2) {
    *out = scaled(half == 0 ? low & 1023u : (low & 1023u) | 1024u, (half == 0 ? 1 : (int)half) - 25);
    if (low >> 15) *out = -*out;
    if (half == 31) return false;
  } else {
#if DBL_MANT_DIG >= 53
    memcpy(out, &item->number, sizeof *out);
#else /* A double has 4 bytes here: as near as it can come. */
    int const exponent = (int)(item->number >> 52) & 2047;
    uint64_t const digits = item->number & ((UINT64_C(1) << 52) - 1);
    *out = exponent == 0 ? 0 : scaled(digits | UINT64_C(1) << 52, exponent - 1075);
    if (item->number >> 63) *out = -*out;
    if (exponent == 2047) return false;
#endif
  }
  return *out - *out == 0;
}

/* Length of a text in characters; -1 when it is no UTF-8. */
static int characters_of(const uint8_t *at, size_t length) {
  const uint8_t *const end = at + length;
  int count = 0;
  for (; at < end; count++) {
    unsigned const first = *at++;
    if (first < 0x80) continue;
    unsigned const more = first >= 0xC2 && first < 0xE0 ? 1 : (first & 0xF0u) == 0xE0 ? 2 : first >= 0xF0 && first < 0xF5 ? 3 : 0;
    if (more == 0 || (size_t)(end - at) < more) return -1;
    unsigned const low = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
    unsigned const high = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
    if (at[0] < low || at[0] > high) return -1;
    for (unsigned each = 1; each < more; each++)
      if ((at[each] & 0xC0u) != 0x80) return -1;
    at += more;
  }
  return count;
}

/* Past an item that is known to be good. */
static void skip(reader *in) {
  head item;
  if (!take_head(in, &item)) return;
  if (item.major == 3) in->at += item.number;
  if (item.major == 4 || item.major == 5)
    for (uint64_t left = item.number * (item.major - 3); left > 0; left--) skip(in);
}

/* The keys of one map as where they begin, in two bytes each; a pair has at least two bytes, so that any item has room for its own. */
typedef struct {
  const uint8_t *first, *end;
  uint8_t *places;
} key_list;

static const uint8_t *key_at(const key_list *keys, size_t which) {
  return keys->first + (size_t)(keys->places[2 * which] << 8 | keys->places[2 * which + 1]);
}

static void set_key(const key_list *keys, size_t which, const uint8_t *key) {
  size_t const place = (size_t)(key - keys->first);
  keys->places[2 * which] = (uint8_t)(place >> 8);
  keys->places[2 * which + 1] = (uint8_t)place;
}

/* Below, at or above 0 as the first of two keys comes before the second, is the same text, or comes after it. */
static int compare_keys(const key_list *keys, const uint8_t *one, const uint8_t *other) {
  reader a = {one, keys->end}, b = {other, keys->end};
  head first, second;
  if (!take_head(&a, &first) || !take_head(&b, &second)) return 0;
  if (first.number != second.number) return first.number < second.number ? -1 : 1;
  return memcmp(a.at, b.at, (size_t)first.number);
}

/* Puts a key into a heap of `count`, from `at` downwards. */
static void sink(const key_list *keys, const uint8_t *key, size_t at, size_t count) {
  for (size_t child = 2 * at + 1; child < count; child = 2 * at + 1) {
    if (child + 1 < count && compare_keys(keys, key_at(keys, child), key_at(keys, child + 1)) < 0) child++;
    if (compare_keys(keys, key, key_at(keys, child)) >= 0) break;
    set_key(keys, at, key_at(keys, child));
    at = child;
  }
  set_key(keys, at, key);
}

/* Whether a map whose pairs are good has a key twice (C7): by sorting, so that the time goes with the bytes and not with their square. */
static bool has_key_twice(const key_list *keys, size_t pairs) {
  reader in = {keys->first, keys->end};
  for (size_t each = 0; each < pairs; each++) {
    set_key(keys, each, in.at);
    skip(&in);
    skip(&in);
  }
  for (size_t at = pairs / 2; at-- > 0;) sink(keys, key_at(keys, at), at, pairs);
  const uint8_t *last = NULL;
  for (size_t count = pairs; count > 0; count--) {
    const uint8_t *const largest = key_at(keys, 0);
    if (last && compare_keys(keys, last, largest) == 0) return true;
    last = largest;
    if (count > 1) sink(keys, key_at(keys, count - 1), 0, count - 1);
  }
  return false;
}

static bool is_good_map(reader *in, uint64_t pairs, int depth, uint8_t *room);

/* Past an item that keeps the profile. `depth`: arrays and maps around it. `room`: as many bytes as the item has, for sorting keys. */
static bool is_good(reader *in, int depth, uint8_t *room) {
  head item;
  double number;
  if (!take_head(in, &item)) return false;
  switch (item.major) {
    case 0: return item.number <= (uint64_t)LARGEST;
    case 1: return item.number < (uint64_t)LARGEST;
    case 3:
      if ((uint64_t)(in->end - in->at) < item.number || characters_of(in->at, (size_t)item.number) < 0) return false;
      in->at += item.number;
      return true;
    case 4:
      if (depth == DEPTH) return false;
      for (; item.number > 0; item.number--)
        if (!is_good(in, depth + 1, room)) return false;
      return true;
    case 5: return depth < DEPTH && is_good_map(in, item.number, depth + 1, room);
    case 7: return item.width >= 2 ? float_of(&item, &number) : item.width == 0 && item.number >= 20 && item.number <= 22;
    default: return false;
  }
}

static bool is_good_map(reader *in, uint64_t pairs, int depth, uint8_t *room) {
  key_list const keys = {in->at, in->end, room};
  for (uint64_t left = pairs; left > 0; left--) {
    if (in->at == in->end || *in->at >> 5 != 3) return false;
    if (!is_good(in, depth, room) || !is_good(in, depth, room)) return false;
  }
  return pairs < 2 || !has_key_twice(&keys, (size_t)pairs);
}

/* A number, as an integer when it is whole, whatever its form (C5). */
static bool take_number(reader *in, pl_value *out) {
  reader const before = *in;
  head item;
  double number = 0;
  if (!take_head(in, &item)) return false;
  out->type = PL_INTEGER;
  if (item.major == 0) out->as.integer = (int64_t)item.number;
  else if (item.major == 1) out->as.integer = -1 - (int64_t)item.number;
  else if (item.major == 7 && item.width >= 2 && float_of(&item, &number)) {
    if (!is_whole(number, &out->as.integer)) {
      out->type = PL_NUMBER;
      out->as.number = number;
    }
  } else {
    *in = before;
    return false;
  }
  return true;
}

/* What is larger than 2^32-1 is that: nothing that is asked for is. */
static bool take_unsigned(reader *in, uint32_t *out) {
  pl_value value;
  if (!take_number(in, &value) || value.type != PL_INTEGER || value.as.integer < 0) return false;
  *out = value.as.integer > (int64_t)UINT32_MAX ? UINT32_MAX : (uint32_t)value.as.integer;
  return true;
}

static bool take_text(reader *in, const char **bytes, size_t *length) {
  head item;
  if (!take_head(in, &item) || item.major != 3) return false;
  *bytes = (const char *)in->at;
  *length = (size_t)item.number;
  in->at += item.number;
  return true;
}

/* Any item: what is an array or a map stays as it is. */
static bool take_value(reader *in, pl_value *out) {
  const uint8_t *const from = in->at;
  if (from == in->end) return false;
  if (take_number(in, out)) return true;
  if (*from >> 5 == 3) {
    out->type = PL_TEXT;
    return take_text(in, &out->as.text.bytes, &out->as.text.length);
  }
  skip(in);
  if (*from >= 0xF4) {
    out->type = *from == 0xF6 ? PL_NULL : PL_BOOLEAN;
    out->as.boolean = *from == 0xF5;
  } else {
    out->type = PL_JSON;
    out->as.text.bytes = (const char *)from;
    out->as.text.length = (size_t)(in->at - from);
  }
  return true;
}

/* Whether a value may be sent (C2, C4, C7): a hub drops a frame with any other. `room`: PL_FRAME_MAX bytes, for sorting keys. */
static bool is_sendable(const pl_value *value, uint8_t *room) {
  reader item = {(const uint8_t *)value->as.text.bytes, (const uint8_t *)value->as.text.bytes};
  switch (value->type) {
    case PL_INTEGER: return value->as.integer >= -LARGEST && value->as.integer <= LARGEST;
    case PL_NUMBER: return value->as.number - value->as.number == 0;
    case PL_TEXT: return characters_of(item.at, value->as.text.length) >= 0;
    case PL_JSON:
      if (value->as.text.length > PL_FRAME_MAX) return false;
      item.end += value->as.text.length;
      return is_good(&item, 1, room) && item.at == item.end;
    default: return true;
  }
}

/* ---- Frames out: one at a time, escaped as it is taken (F1 to F4) ---- */

static void begin_frame(pl_node *node, writer *out) { begin(out, node->tx, sizeof node->tx - 2); }

static void end_frame(pl_node *node, const writer *body) {
  /* Nothing that is made here is longer: pl_start and `answer_value` see to it. */
  if (body->length > body->capacity) return;
  uint16_t const crc = crc_of(node->tx, body->length);
  node->tx[body->length] = (uint8_t)(crc >> 8);
  node->tx[body->length + 1] = (uint8_t)crc;
  node->tx_length = (uint16_t)(body->length + 2);
  node->tx_at = 0;
  node->tx_state = TX_BEGIN;
}

size_t pl_transmit(pl_node *node, uint8_t *bytes, size_t capacity) {
  size_t count = 0;
  while (count < capacity && node->tx_state != TX_IDLE) {
    uint8_t const next = node->tx_at < node->tx_length ? node->tx[node->tx_at] : (uint8_t)END;
    switch (node->tx_state) {
      case TX_BEGIN:
        bytes[count++] = END;
        node->tx_state = TX_BODY;
        break;
      case TX_ESCAPED:
        bytes[count++] = next == END ? 0xDC : 0xDD;
        node->tx_at++;
        node->tx_state = TX_BODY;
        break;
      default:
        if (node->tx_at == node->tx_length) {
          bytes[count++] = END;
          node->tx_state = TX_IDLE;
        } else if (next == END || next == ESC) {
          bytes[count++] = ESC;
          node->tx_state = TX_ESCAPED;
        } else {
          bytes[count++] = next;
          node->tx_at++;
        }
    }
  }
  return count;
}

static void put_message(writer *out, size_t fields, unsigned type, uint16_t seq) {
  put_array(out, fields + 2);
  put_unsigned(out, type);
  put_unsigned(out, seq);
}

static void send_bare(pl_node *node, unsigned type, uint16_t seq) {
  writer out;
  begin_frame(node, &out);
  put_message(&out, 0, type, seq);
  end_frame(node, &out);
}

static uint16_t next_seq(pl_node *node) { return ++node->seq; }

/* ---- What the node says of itself and its devices ---- */

static void put_devices(writer *out, const pl_node *node) {
  const pl_config *const config = node->config;
  put_array(out, config->count);
  for (unsigned place = 0; place < config->count; place++) {
    if (node->present[place]) put_text(out, config->devices[place].edge_id);
    else put(out, 0xF6);
  }
}

/* The texts of what is said of something, as an array. */
enum { ABOUT_TEXTS = sizeof(pl_about) / sizeof(const char *) };
typedef const char *about_texts[ABOUT_TEXTS];

static void texts_of(const pl_about *about, about_texts texts) {
  memset(texts, 0, sizeof(about_texts));
  if (about) memcpy(texts, about, sizeof(about_texts));
}

/* A map of `fields` that follow, and then of the first `count` of its texts, as far as they are there. */
static void put_about_head(writer *out, const pl_about *about, unsigned fields, unsigned count) {
  about_texts texts;
  texts_of(about, texts);
  for (unsigned each = 0; each < count; each++) fields += texts[each] != NULL;
  put_map(out, fields);
}

static void put_about(writer *out, const pl_about *about, unsigned count) {
  static const char keys[ABOUT_TEXTS][3] = {"mf", "mo", "fw", "sn", "nm"};
  about_texts texts;
  texts_of(about, texts);
  for (unsigned each = 0; each < count; each++) put_keyed(out, keys[each], texts[each]);
}

static void put_hello(writer *out, const pl_node *node, uint16_t seq) {
  const pl_config *const config = node->config;
  put_message(out, 1, HELLO, seq);
  put_about_head(out, config->about, 6, ABOUT_TEXTS - 1);
  put_text(out, "v");
  put_unsigned(out, 1);
  put_keyed(out, "id", config->edge_id);
  put_text(out, "devices");
  put_devices(out, node);
  put_text(out, "boot");
  put_unsigned(out, config->boot);
  put_text(out, "max");
  put_unsigned(out, PL_FRAME_MAX);
  put_text(out, "win");
  put_unsigned(out, PL_WINDOW);
  put_about(out, config->about, ABOUT_TEXTS - 1);
}

static void put_bound(writer *out, const pl_property *property, unsigned bound, const char *key, double number) {
  if (!(property->bounds & bound)) return;
  put_text(out, key);
  put_number(out, number);
}

/* D2. */
static void put_property(writer *out, const pl_property *property) {
  static const char *const types[] = {"", "boolean", "integer", "number", "string", "json"};
  unsigned const bounds = property->bounds;
  if (property->standard) {
    put_text(out, property->name);
    return;
  }
  size_t allowed = 0;
  if (property->allowed)
    while (property->allowed[allowed]) allowed++;
  put_map(out, 3u + !!property->unit + !!(bounds & PL_LO) + !!(bounds & PL_HI) + !!(bounds & PL_STEP) + (allowed > 0));
  put_keyed(out, "n", property->name);
  put_keyed(out, "t", types[property->type]);
  put_text(out, "a");
  put_unsigned(out, property->access);
  put_keyed(out, "u", property->unit);
  put_bound(out, property, PL_LO, "lo", property->lo);
  put_bound(out, property, PL_HI, "hi", property->hi);
  put_bound(out, property, PL_STEP, "st", property->step);
  if (allowed == 0) return;
  put_text(out, "en");
  put_array(out, allowed);
  for (size_t each = 0; each < allowed; each++) put_text(out, property->allowed[each]);
}

static void put_service(writer *out, const pl_service *service, size_t properties) {
  put_map(out, 3);
  put_keyed(out, "s", service->name);
  put_text(out, "i");
  put_unsigned(out, service->index);
  put_text(out, "p");
  put_array(out, properties);
}

static void put_about_device(writer *out, const pl_about *about) {
  put_about_head(out, about, 0, ABOUT_TEXTS);
  put_about(out, about, ABOUT_TEXTS);
}

/* Where a part of a description begins: a service, and one of its properties. */
typedef struct {
  unsigned service, property;
} mark;

/* Cuts a description into parts that fit (D4). Gives how many, and the bounds of the wanted one; 0 when something fits none. */
static unsigned cut(const pl_device *device, unsigned wanted, mark *from, mark *to) {
  /* Array, type, seq, place, part, parts, array of services, CRC: at their longest. */
  size_t const frame = 1 + 1 + 3 + 2 + 2 + 2 + 2 + 2;
  writer about;
  measure(&about);
  put_about_device(&about, device->about);
  size_t used = frame + about.length;
  unsigned part = 0, last_service = device->count;
  from->service = from->property = to->property = 0;
  to->service = device->count;
  for (unsigned s = 0; s < device->count; s++) {
    const pl_service *const service = &device->services[s];
    writer begun;
    measure(&begun);
    put_service(&begun, service, service->count);
    for (unsigned p = 0; p < service->count; p++) {
      mark const here = {s, p};
      writer size;
      measure(&size);
      put_property(&size, &service->properties[p]);
      if (used + size.length + (last_service == s ? 0 : begun.length) > PL_FRAME_MAX) {
        if (part == wanted) *to = here;
        if (++part == wanted) *from = here;
        used = frame;
        last_service = device->count;
      }
      used += size.length + (last_service == s ? 0 : begun.length);
      if (used > PL_FRAME_MAX) return 0;
      last_service = s;
    }
  }
  return part + 1;
}

static void put_description(writer *out, const pl_device *device, uint16_t seq, unsigned place, unsigned part) {
  mark from, to;
  unsigned const parts = cut(device, part, &from, &to);
  put_message(out, part == 0 ? 5 : 4, DESCRIPTION, seq);
  put_unsigned(out, place);
  put_unsigned(out, part);
  put_unsigned(out, parts);
  put_array(out, to.service - from.service + (to.property > 0));
  for (unsigned s = from.service; s < to.service || (s == to.service && to.property > 0); s++) {
    const pl_service *const service = &device->services[s];
    unsigned const first = s == from.service ? from.property : 0;
    unsigned const end = s == to.service ? to.property : service->count;
    put_service(out, service, end - first);
    for (unsigned p = first; p < end; p++) put_property(out, &service->properties[p]);
  }
  if (part == 0) put_about_device(out, device->about);
}

/* ---- Properties ---- */

static const pl_property *property_at(const pl_node *node, pl_address address) {
  return &node->config->devices[address.place].services[address.service].properties[address.property];
}

static bool is_address(const pl_node *node, pl_address address) {
  const pl_config *const config = node->config;
  if (address.place >= config->count || address.service >= config->devices[address.place].count) return false;
  return address.property < config->devices[address.place].services[address.service].count;
}

static bool is_same(pl_address a, pl_address b) {
  return a.place == b.place && a.service == b.service && a.property == b.property;
}

/* The slot of a property: properties are counted through all tables. */
static unsigned slot_of(const pl_node *node, pl_address address) {
  unsigned slot = address.property;
  for (unsigned place = 0; place <= address.place; place++) {
    const pl_device *const device = &node->config->devices[place];
    unsigned const services = place == address.place ? address.service : device->count;
    for (unsigned s = 0; s < services; s++) slot += device->services[s].count;
  }
  return slot;
}

static pl_address address_of(const pl_node *node, unsigned slot) {
  pl_address address = {0, 0, 0};
  for (;; address.place++) {
    const pl_device *const device = &node->config->devices[address.place];
    for (address.service = 0; address.service < device->count; address.service++) {
      if (slot < device->services[address.service].count) {
        address.property = (uint8_t)slot;
        return address;
      }
      slot -= device->services[address.service].count;
    }
  }
}

static uint8_t read_property(const pl_node *node, pl_address address, pl_value *value) {
  value->type = PL_NULL;
  return node->config->driver->read(node->config->context, address, value);
}

/* ---- Reports: one unanswered at a time, the rest in order (P1 to P8) ---- */

static void put_report(writer *out, const pl_node *node, pl_address address, const pl_value *value, uint16_t seq) {
  const pl_service *const service = &node->config->devices[address.place].services[address.service];
  put_message(out, 5, REPORT, seq);
  put_unsigned(out, address.place);
  put_text(out, service->name);
  put_unsigned(out, service->index);
  put_text(out, service->properties[address.property].name);
  put_value(out, value);
}

static uint32_t hash_of(const pl_value *value) {
  writer out;
  measure(&out);
  put_value(&out, value);
  return out.hash;
}

/* Whether a report can carry a value; counts one that it cannot. The frame that is sent next is not begun yet: its room is free. */
static bool is_reportable(pl_node *node, pl_address address, const pl_value *value) {
  writer out;
  measure(&out);
  put_report(&out, node, address, value, UINT16_MAX);
  if (out.length <= PL_FRAME_MAX - 2 && is_sendable(value, node->tx)) return true;
  node->counters.values++;
  return false;
}

/* What a property says in a report: no value at present, when it cannot be read just now or cannot be sent. */
static void reported_value(pl_node *node, pl_address address, pl_value *value) {
  if (read_property(node, address, value) != PL_OK || !is_reportable(node, address, value)) value->type = PL_NULL;
  /* What the read itself has said of a change is in the value. */
  node->is_doubted = false;
}

/* The report under way of a property, when it may have another value by now: if it has, that is sent under a new seq (P5). */
static void review(pl_node *node) {
  pl_value value;
  if (!node->is_doubted || node->flying_what != A_PROPERTY) return;
  reported_value(node, address_of(node, node->flying_slot), &value);
  if (hash_of(&value) != node->flying_hash) node->flying_what = NOTHING;
}

static void doubt(pl_node *node, unsigned slot) {
  if (node->flying_what == A_PROPERTY && node->flying_slot == slot) node->is_doubted = true;
}

void pl_changed(pl_node *node, pl_address address) {
  if (!is_address(node, address) || (property_at(node, address)->access & (PL_READ | PL_NOTIFY)) != (PL_READ | PL_NOTIFY)) return;
  if (node->is_writing && is_same(node->writing, address)) return;
  unsigned const slot = slot_of(node, address);
  if (node->slots[slot].is_waiting) {
    doubt(node, slot);
    return;
  }
  node->slots[slot].is_waiting = true;
  node->slots[slot].turn = node->next_turn++;
}

static void drop_event(pl_node *node, unsigned at) {
  node->event_count--;
  for (unsigned each = at; each < node->event_count; each++) node->events[each] = node->events[each + 1];
}

/* Events of the same property go in their order, so the one under way is always the oldest of all. */
void pl_event(pl_node *node, pl_address address, const pl_value *value) {
  unsigned const first = node->flying_what == AN_EVENT ? 1 : 0;
  if (!is_address(node, address) || (property_at(node, address)->access & (PL_READ | PL_NOTIFY)) != PL_NOTIFY) return;
  if (node->event_count - first >= PL_EVENTS_MAX) {
    drop_event(node, first);
    node->counters.events++;
  }
  node->events[node->event_count].address = address;
  node->events[node->event_count].value = *value;
  node->events[node->event_count].turn = node->next_turn++;
  node->event_count++;
}

void pl_present(pl_node *node, uint8_t place, bool is_present) {
  if (place >= node->config->count || node->present[place] == is_present) return;
  node->present[place] = is_present;
  if (node->flying_what == THE_DEVICES) node->flying_what = NOTHING;
  else if (node->is_changed) return;
  node->is_changed = true;
  node->changed_turn = node->next_turn++;
}

/* Whose turn it is. */
static uint8_t next_to_tell(const pl_node *node, unsigned *slot) {
  uint8_t what = NOTHING;
  uint32_t turn = 0;
  for (unsigned each = 0; each < PL_PROPERTIES_MAX; each++) {
    if (!node->slots[each].is_waiting || (what != NOTHING && is_due(turn, node->slots[each].turn))) continue;
    what = A_PROPERTY;
    turn = node->slots[each].turn;
    *slot = each;
  }
  if (node->event_count > 0 && (what == NOTHING || is_due(node->events[0].turn, turn))) {
    what = AN_EVENT;
    turn = node->events[0].turn;
    *slot = slot_of(node, node->events[0].address);
  }
  return node->is_changed && (what == NOTHING || is_due(node->changed_turn, turn)) ? THE_DEVICES : what;
}

static void send_report(pl_node *node, uint32_t now) {
  pl_value value;
  review(node);
  unsigned slot = node->flying_slot;
  uint8_t what = node->flying_what;
  bool is_repetition = what != NOTHING;
  if (is_repetition && !is_due(node->flying_again_at, now)) return;
  if (!is_repetition) what = next_to_tell(node, &slot);
  if (what == NOTHING) return;
  pl_address const address = what == A_PROPERTY ? address_of(node, slot) : node->events[0].address;
  if (what == A_PROPERTY) reported_value(node, address, &value);
  else if (what == AN_EVENT) value = node->events[0].value;
  else value.type = PL_NULL;
  if (what == AN_EVENT && !is_repetition && !is_reportable(node, address, &value)) {
    drop_event(node, 0);
    return;
  }
  uint32_t const hash = hash_of(&value);
  if (is_repetition && hash != node->flying_hash) is_repetition = false;
  if (!is_repetition && what != THE_DEVICES) {
    if (node->slots[slot].was_sent && now - node->slots[slot].sent_at < REPORT_SPACING) {
      node->flying_what = NOTHING;
      return;
    }
    node->slots[slot].was_sent = true;
    node->slots[slot].sent_at = now;
  }
  if (!is_repetition) node->flying_seq = next_seq(node);
  node->flying_what = what;
  node->flying_slot = (uint16_t)slot;
  node->flying_hash = hash;
  node->flying_again_at = now + REPORT_AGAIN;
  writer out;
  begin_frame(node, &out);
  if (what == THE_DEVICES) {
    put_message(&out, 1, CHANGED, node->flying_seq);
    put_devices(&out, node);
  } else put_report(&out, node, address, &value, node->flying_seq);
  end_frame(node, &out);
}

/* An ACK, or an ERROR that is not "again" (P11). */
static void settle(pl_node *node, uint16_t seq) {
  if (node->flying_what == NOTHING || node->flying_seq != seq) return;
  review(node);
  if (node->flying_what == A_PROPERTY) node->slots[node->flying_slot].is_waiting = false;
  if (node->flying_what == AN_EVENT) drop_event(node, 0);
  if (node->flying_what == THE_DEVICES) node->is_changed = false;
  node->flying_what = NOTHING;
}

/* ---- Requests of the hub ---- */

static void send_error(pl_node *node, uint16_t seq, unsigned code) {
  /* The hub knows what each code says: texts would be a tenth of all this. */
  writer out;
  begin_frame(node, &out);
  put_message(&out, 2, FAILED, seq);
  put_unsigned(&out, code);
  put_text(&out, "");
  end_frame(node, &out);
}

/* A value of the device; 10 when it does not fit a frame, or is none that may be sent. */
static void answer_value(pl_node *node, unsigned type, uint16_t seq, const pl_value *value) {
  writer out;
  bool const is_good_value = is_sendable(value, node->tx);
  begin_frame(node, &out);
  put_message(&out, 1, type, seq);
  put_value(&out, value);
  if (is_good_value && out.length <= out.capacity) end_frame(node, &out);
  else {
    node->counters.values++;
    send_error(node, seq, PL_HARDWARE_FAILURE);
  }
}

static bool is_text(const char *text, const char *bytes, size_t length) {
  return strlen(text) == length && memcmp(text, bytes, length) == 0;
}

/* Finds what a READ or WRITE names. */
static uint8_t find(const pl_node *node, uint32_t place, const char *service, size_t service_length, uint32_t index,
                    const char *property, size_t property_length, pl_address *address) {
  if (place >= node->config->count || !node->present[place]) return PL_UNKNOWN_DEVICE;
  const pl_device *const device = &node->config->devices[place];
  for (uint8_t s = 0; s < device->count; s++) {
    const pl_service *const each = &device->services[s];
    if (each->index != index || !is_text(each->name, service, service_length)) continue;
    for (uint8_t p = 0; p < each->count; p++) {
      if (!is_text(each->properties[p].name, property, property_length)) continue;
      address->place = (uint8_t)place;
      address->service = s;
      address->property = p;
      return PL_OK;
    }
    return PL_UNKNOWN_PROPERTY;
  }
  return PL_UNKNOWN_SERVICE;
}

/* Whether a number is a whole count of steps away from where they begin; a float cannot say that more exactly than this. */
static bool is_step(double distance, double step) {
  bool const is_single = sizeof(double) == sizeof(float);
  double const steps = distance / step;
  double const all_whole = is_single ? 8388608.0 : 4503599627370496.0; /* 2^23, 2^52: from there on there are no fractions */
  if (steps > DBL_MAX || steps < -DBL_MAX) return false;
  if (steps >= all_whole || steps <= -all_whole) return true;
  double const off = steps - (double)(int64_t)(steps < 0 ? steps - 0.5 : steps + 0.5);
  double const most = is_single ? 1e-3 : 1e-6;
  return off < most && off > -most;
}

/* Whether a value may be written; makes an integer a number where one is wanted. */
static bool is_allowed(const pl_property *property, pl_value *value) {
  if (property->type == PL_NUMBER && value->type == PL_INTEGER) {
    double const number = (double)value->as.integer;
    value->type = PL_NUMBER;
    value->as.number = number;
  }
  if (property->type == PL_JSON) return value->type != PL_NULL;
  if (property->type != value->type) return false;
  if (value->type == PL_NUMBER || value->type == PL_INTEGER) {
    double const number = value->type == PL_NUMBER ? value->as.number : (double)value->as.integer;
    if (((property->bounds & PL_LO) && number < property->lo) || ((property->bounds & PL_HI) && number > property->hi)) return false;
    if ((property->bounds & PL_STEP) && !is_step(property->bounds & PL_LO ? number - property->lo : number, property->step)) return false;
  }
  if (value->type != PL_TEXT || !property->allowed) return true;
  for (const char *const *each = property->allowed; *each; each++)
    if (is_text(*each, value->as.text.bytes, value->as.text.length)) return true;
  return false;
}

static void describe(pl_node *node, uint16_t seq, reader *fields) {
  uint32_t place, part;
  mark from, to;
  if (!take_unsigned(fields, &place) || !take_unsigned(fields, &part)) send_error(node, seq, PL_MALFORMED);
  else if (place >= node->config->count || !node->present[place]) send_error(node, seq, PL_UNKNOWN_DEVICE);
  else {
    const pl_device *const device = &node->config->devices[place];
    if (part >= cut(device, UINT16_MAX, &from, &to)) {
      send_error(node, seq, PL_MALFORMED);
      return;
    }
    writer out;
    begin_frame(node, &out);
    put_description(&out, device, seq, (unsigned)place, (unsigned)part);
    end_frame(node, &out);
  }
}

/* READ and WRITE. */
static void access_property(pl_node *node, unsigned type, uint16_t seq, reader *fields) {
  uint32_t place, index;
  const char *service, *name;
  size_t service_length, name_length;
  pl_address address;
  pl_value value;
  uint8_t code = PL_MALFORMED;
  value.type = PL_NULL;
  bool const is_complete = take_unsigned(fields, &place) && take_text(fields, &service, &service_length) &&
                        take_unsigned(fields, &index) && index <= 999 && take_text(fields, &name, &name_length) &&
                        (type == READ || take_value(fields, &value));
  if (is_complete) code = find(node, place, service, service_length, index, name, name_length, &address);
  if (code == PL_OK) {
    const pl_property *const property = property_at(node, address);
    if (type == READ) code = property->access & PL_READ ? read_property(node, address, &value) : PL_NOT_READABLE;
    else if (!(property->access & PL_WRITE)) code = PL_NOT_WRITABLE;
    else if (!is_allowed(property, &value)) code = PL_VALUE_REFUSED;
    else {
      node->is_writing = true;
      node->writing = address;
      code = node->config->driver->write(node->config->context, address, &value);
      node->is_writing = false;
      if (code == PL_OK) doubt(node, slot_of(node, address));
    }
  }
  if (code == PL_OK) answer_value(node, type == READ ? VALUE : WRITTEN, seq, &value);
  else send_error(node, seq, code);
}

static void identify(pl_node *node, uint16_t seq, reader *fields) {
  uint32_t place, seconds;
  uint8_t code = PL_MALFORMED;
  if (take_unsigned(fields, &place) && take_unsigned(fields, &seconds)) {
    code = PL_UNKNOWN_DEVICE;
    if (place < node->config->count && node->present[place]) {
      code = node->config->driver->identify(node->config->context, (uint8_t)place, seconds);
    }
  }
  if (code == PL_OK) send_bare(node, ACK, seq);
  else send_error(node, seq, code);
}

/* WRITE and IDENTIFY act once: a repetition is answered from memory, PL_BUSY like everything else (R1, R2, R7). */
static void act(pl_node *node, unsigned type, uint16_t seq, reader *fields, const uint8_t *body, size_t length) {
  writer hash;
  measure(&hash);
  put_bytes(&hash, (const char *)body, length);
  for (unsigned each = 0; node->has_answer && each < node->answer_count; each++) {
    if (node->answers[each].seq != seq || node->answers[each].request_length != length || node->answers[each].hash != hash.hash) continue;
    memcpy(node->tx, node->answers[each].bytes, node->answers[each].length);
    writer out;
    begin_frame(node, &out);
    out.length = node->answers[each].length;
    end_frame(node, &out);
    return;
  }
  /* Before the hub has acknowledged this boot, a request may be a repetition of one that an earlier boot has carried out (R6). */
  if (node->session != LIVE) send_error(node, seq, PL_BUSY);
  else if (type == WRITE) access_property(node, type, seq, fields);
  else identify(node, seq, fields);
  if (!node->has_answer) node->answer_count = node->answer_next = 0;
  node->has_answer = true;
  unsigned const at = node->answer_next;
  node->answer_next = (uint8_t)((at + 1) % PL_WINDOW);
  if (node->answer_count < PL_WINDOW) node->answer_count++;
  node->answers[at].seq = seq;
  node->answers[at].request_length = (uint16_t)length;
  node->answers[at].hash = hash.hash;
  node->answers[at].length = (uint16_t)(node->tx_length - 2);
  memcpy(node->answers[at].bytes, node->tx, node->answers[at].length);
}

/* ---- Greeting and life ---- */

static void greet(pl_node *node, uint32_t now) {
  node->session = GREETING;
  node->has_answer = false;
  node->hellos[node->hello_count++ % COUNT(node->hellos)] = next_seq(node);
  if (node->hello_count == 2 * COUNT(node->hellos)) node->hello_count = COUNT(node->hellos);
  node->greeting_since = node->hello_at = now;
}

static uint16_t current_hello(const pl_node *node) {
  return node->hellos[(node->hello_count - 1u) % COUNT(node->hellos)];
}

static bool is_hello(const pl_node *node, uint16_t seq) {
  for (unsigned each = 0; each < COUNT(node->hellos) && each < node->hello_count; each++)
    if (node->hellos[each] == seq) return true;
  return false;
}

static void hear(pl_node *node, uint32_t now) {
  node->ping_at = now + SILENCE;
  node->ping_count = 0;
}

static void acknowledged(pl_node *node, uint16_t seq, uint32_t now) {
  if (node->session != GREETING || !is_hello(node, seq)) return;
  node->session = LIVE;
  hear(node, now);
  node->flying_again_at = now; /* P7 */
}

static void who(pl_node *node, uint32_t now) {
  if (node->session == LIVE) {
    greet(node, now);
    return;
  }
  node->has_answer = false;
  node->greeting_since = node->hello_at = now;
}

static void failed(pl_node *node, uint16_t seq, reader *fields, uint32_t now) {
  uint32_t code;
  if (!take_unsigned(fields, &code)) return;
  if (node->session == GREETING) {
    if (is_hello(node, seq) && (code == 11 || code == 12)) node->hello_at = now + HELLO_REFUSED;
  } else if (code != PL_BUSY) settle(node, seq);
  else if (node->flying_what != NOTHING && node->flying_seq == seq) node->flying_again_at = now + REPORT_AGAIN;
}

void pl_tick(pl_node *node, uint32_t now) {
  if (node->tx_state != TX_IDLE) return;
  if (node->session == GREETING) {
    if (!is_due(node->hello_at, now)) return;
    node->hello_at = now + (now - node->greeting_since < HELLO_PATIENCE ? HELLO_EVERY : HELLO_SLOW);
    writer out;
    begin_frame(node, &out);
    put_hello(&out, node, current_hello(node));
    end_frame(node, &out);
  } else if (is_due(node->ping_at, now)) {
    if (node->ping_count == PINGS) {
      greet(node, now);
      pl_tick(node, now);
      return;
    }
    node->ping_at = now + PING_EVERY;
    node->pings[node->ping_count++] = next_seq(node);
    send_bare(node, PING, node->seq);
  } else send_report(node, now);
}

bool pl_is_live(const pl_node *node) { return node->session == LIVE; }

/* ---- Frames in ---- */

/* What only a node sends, and one's own unanswered PING: a line that echoes says nothing of the hub (W4, A1). */
static bool is_echo(const pl_node *node, uint32_t type, uint16_t seq) {
  unsigned const of_nodes = 1u << HELLO | 1u << DESCRIPTION | 1u << VALUE | 1u << WRITTEN | 1u << REPORT | 1u << CHANGED;
  if (type < 16 && (of_nodes >> type & 1u)) return true;
  if (type != PING || node->session != LIVE) return false;
  for (unsigned each = 0; each < node->ping_count; each++)
    if (node->pings[each] == seq) return true;
  return false;
}

static void take_message(pl_node *node, size_t length, uint32_t now) {
  reader in = {node->rx, node->rx + length};
  reader fields = in;
  uint32_t type, number;
  head array;
  /* Nothing is being sent while a message is taken, so that there is room where the answer will be. */
  bool const is_item = is_good(&in, 0, node->tx) && in.at == in.end;
  bool const is_message = is_item && take_head(&fields, &array) && array.major == 4 && array.number >= 2 &&
                          take_unsigned(&fields, &type) && take_unsigned(&fields, &number) && number <= UINT16_MAX;
  if (!is_message) {
    node->counters.items++;
    if (node->session == LIVE) hear(node, now);
    return;
  }
  uint16_t const seq = (uint16_t)number;
  if (is_echo(node, type, seq)) return;
  if (node->session == LIVE) hear(node, now);
  switch (type) {
    case WHO: who(node, now); break;
    case HELLO_ACK: acknowledged(node, seq, now); break;
    case PING: send_bare(node, PONG, seq); break;
    case PONG: break;
    case ACK: settle(node, seq); break;
    case FAILED: failed(node, seq, &fields, now); break;
    case DESCRIBE: describe(node, seq, &fields); break;
    case READ: access_property(node, READ, seq, &fields); break;
    case WRITE:
    case IDENTIFY: act(node, (unsigned)type, seq, &fields, node->rx, length); break;
    default: send_error(node, seq, PL_UNKNOWN_TYPE);
  }
}

static void take_frame(pl_node *node, uint32_t now) {
  size_t const length = node->rx_length;
  uint8_t const state = node->rx_state;
  node->rx_length = 0;
  node->rx_state = RX_FRAME;
  if (state == RX_LONG) node->counters.longs++;
  else if (state != RX_FRAME) node->counters.escapes++;
  else if (length == 0) return;
  else if (length < 3 || crc_of(node->rx, length - 2) != (uint16_t)(node->rx[length - 2] << 8 | node->rx[length - 1]))
    node->counters.crcs++;
  else {
    node->counters.frames++;
    take_message(node, length - 2, now);
  }
}

static void take_byte(pl_node *node, uint8_t byte) {
  bool const was_escaped = node->rx_state == RX_ESCAPED;
  if (node->rx_state > RX_ESCAPED) return;
  if (was_escaped) {
    node->rx_state = RX_FRAME;
    if (byte != 0xDC && byte != 0xDD) {
      node->rx_state = RX_BAD_ESCAPE;
      return;
    }
    byte = byte == 0xDC ? END : ESC;
  } else if (byte == ESC) {
    node->rx_state = RX_ESCAPED;
    return;
  }
  if (node->rx_length == sizeof node->rx) node->rx_state = RX_LONG;
  else node->rx[node->rx_length++] = byte;
}

size_t pl_receive(pl_node *node, const uint8_t *bytes, size_t length, uint32_t now) {
  for (size_t count = 0; count < length; count++) {
    if (bytes[count] != END) take_byte(node, bytes[count]);
    else if (node->tx_state != TX_IDLE && node->rx_length > 0) return count;
    else take_frame(node, now);
  }
  return length;
}

/* ---- The start: every table is looked at once, so that nothing has to be afterwards ---- */

static bool is_edge_id(const char *text) {
  size_t const length = text ? strlen(text) : 0;
  if (length != 17 && length != 23) return false;
  for (size_t at = 0; at < length; at++) {
    char const c = text[at];
    if (at % 3 == 2 ? c != '-' : !((c >= '0' && c <= '9') || (c >= 'A' && c <= 'F'))) return false;
  }
  return true;
}

static bool is_name(const char *text) {
  size_t const length = text ? strlen(text) : 0;
  if (length == 0 || length > 64) return false;
  for (size_t at = 0; at < length; at++) {
    char const c = text[at];
    bool const is_letter = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
    if (!is_letter && (at == 0 || !((c >= '0' && c <= '9') || c == '_' || c == '-'))) return false;
  }
  return true;
}

static bool is_short(const char *text, int characters) {
  int const length = text ? characters_of((const uint8_t *)text, strlen(text)) : 0;
  return length >= 0 && length <= characters;
}

static bool is_about(const pl_about *about) {
  about_texts texts;
  texts_of(about, texts);
  for (unsigned each = 0; each < ABOUT_TEXTS; each++)
    if (!is_short(texts[each], 64)) return false;
  return true;
}

static pl_fault check_property(const pl_service *service, const pl_property *property) {
  bool const is_number = property->type == PL_INTEGER || property->type == PL_NUMBER;
  if (!is_name(property->name)) return PL_BAD_NAME;
  if (!is_short(property->unit, 16)) return PL_BAD_TEXT;
  if (property->bounds && !is_number) return PL_BAD_BOUNDS;
  if ((property->bounds & PL_LO) && (property->bounds & PL_HI) && property->lo > property->hi) return PL_BAD_BOUNDS;
  if ((property->bounds & PL_STEP) && !(property->step > 0)) return PL_BAD_BOUNDS;
  if (property->type == PL_NULL || (property->allowed && property->type != PL_TEXT)) return PL_BAD_BOUNDS;
  for (const char *const *each = property->allowed; each && *each; each++)
    if (!is_short(*each, 64)) return PL_BAD_TEXT;
  /* The longest request: WRITE, with the longest seq, place and number. */
  writer request;
  measure(&request);
  put_message(&request, 5, WRITE, UINT16_MAX);
  put_unsigned(&request, 127);
  put_text(&request, service->name);
  put_unsigned(&request, 999);
  put_text(&request, property->name);
  return request.length + 9 + 2 > PL_FRAME_MAX ? PL_FRAME_TOO_SMALL : PL_STARTED;
}

static pl_fault check_device(const pl_device *device, unsigned *properties) {
  mark from, to;
  if (!is_edge_id(device->edge_id)) return PL_BAD_EDGE_ID;
  if (!is_about(device->about)) return PL_BAD_TEXT;
  if (device->count == 0 || device->count > 64) return PL_BAD_COUNT;
  for (unsigned s = 0; s < device->count; s++) {
    const pl_service *const service = &device->services[s];
    if (!is_name(service->name)) return PL_BAD_NAME;
    if (service->index > 999) return PL_BAD_INDEX;
    *properties += service->count;
    if (service->count == 0 || service->count > 64 || *properties > PL_PROPERTIES_MAX) return PL_BAD_COUNT;
    for (unsigned p = 0; p < service->count; p++) {
      pl_fault const fault = check_property(service, &service->properties[p]);
      if (fault != PL_STARTED) return fault;
    }
  }
  unsigned const parts = cut(device, UINT16_MAX, &from, &to);
  return parts == 0 ? PL_FRAME_TOO_SMALL : parts > 64 ? PL_BAD_COUNT : PL_STARTED;
}

pl_fault pl_start(pl_node *node, const pl_config *config, uint16_t first_seq, uint32_t now) {
  unsigned properties = 0;
  memset(node, 0, sizeof *node);
  node->config = config;
  node->seq = first_seq;
  if (!is_edge_id(config->edge_id)) return PL_BAD_EDGE_ID;
  if (!is_about(config->about)) return PL_BAD_TEXT;
  if (config->count == 0 || config->count > PL_DEVICES_MAX || config->count > 128) return PL_BAD_COUNT;
  for (unsigned place = 0; place < config->count; place++) {
    pl_fault const fault = check_device(&config->devices[place], &properties);
    if (fault != PL_STARTED) return fault;
    node->present[place] = true;
  }
  writer hello;
  measure(&hello);
  put_hello(&hello, node, UINT16_MAX);
  if (hello.length + 2 > PL_FRAME_MAX) return PL_FRAME_TOO_SMALL;
  greet(node, now);
  return PL_STARTED;
}

void pl_reconnected(pl_node *node, uint32_t now) {
  node->rx_length = 0;
  node->rx_state = RX_FRAME;
  node->tx_state = TX_IDLE;
  greet(node, now);
}
