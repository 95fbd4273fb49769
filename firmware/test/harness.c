/*
 * porchlight.c under a test's hands: each line on standard input is a word and its arguments, each answer is one line. Time is
 * what the test says. The source is included, so that its inner parts can be asked too.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../porchlight.c"

#include <stdio.h>
#include <stdlib.h>

enum { MOST = 16384 };

#ifndef SPEED_STEP
#define SPEED_STEP 0.5
#endif
static const char *const modes[] = {"eco", "comfort", NULL};
static const pl_property on[] = {PL_STANDARD("on", PL_BOOLEAN, PL_READ | PL_WRITE | PL_NOTIFY)};
static const pl_property color[] = {PL_STANDARD_RANGE("hue", PL_NUMBER, PL_READ | PL_WRITE | PL_NOTIFY, 0, 360),
                                    PL_STANDARD_RANGE("saturation", PL_NUMBER, PL_READ | PL_WRITE | PL_NOTIFY, 0, 100)};
static const pl_property celsius[] = {PL_STANDARD("celsius", PL_NUMBER, PL_READ | PL_NOTIFY)};
static const pl_property event[] = {PL_STANDARD("event", PL_TEXT, PL_NOTIFY)};
static const pl_property own[] = {
    {"mode", PL_TEXT, PL_READ | PL_WRITE | PL_NOTIFY, false, NULL, 0, 0, 0, 0, modes},
    {"speed", PL_INTEGER, PL_READ | PL_WRITE | PL_NOTIFY, false, "rpm", PL_LO | PL_HI | PL_STEP, -5, 1500.5, SPEED_STEP, NULL},
    {"plan", PL_JSON, PL_READ | PL_WRITE, false, NULL, 0, 0, 0, 0, NULL},
    {"secret", PL_TEXT, PL_WRITE, false, NULL, 0, 0, 0, 0, NULL}};
static const pl_service first_services[] = {
    {"Switch", 0, on, 1}, {"LightColor", 0, color, 2}, {"Temperature", 7, celsius, 1}, {"Button", 0, event, 1}, {"Own", 999, own, 4}};
#ifdef WITH_CONFORMANCE
/* The aid to being proved: what was carried out since boot. */
static const pl_property counted[] = {{"acted", PL_INTEGER, PL_READ, false, NULL, 0, 0, 0, 0, NULL}};
static const pl_service second_services[] = {{"Switch", 0, on, 1}, {"Conformance", 0, counted, 1}};
#else
static const pl_service second_services[] = {{"Switch", 0, on, 1}};
#endif
static const pl_about about = {"Porchlight", "Harness", "1.0.0", "A-7", NULL};
static const pl_about about_first = {"Porchlight", "Harness", NULL, NULL, "A device with a long name, so that it takes a good part of it"};
static const pl_device devices[] = {{"02-00-00-00-00-01", first_services, 5, &about_first},
                                    {"02-00-00-00-00-02", second_services, COUNT(second_services), NULL}};

static pl_node node;
static uint8_t values[PL_PROPERTIES_MAX][64];
static uint8_t code, text_of_input[MOST];
static unsigned acted, lived;
/* What the driver gives for one property instead of its value, and whether every read says that what it reads has changed. */
static unsigned wrong_slot;
static const pl_value *unsent;
static bool tells_while_reading;
static unsigned reading, deepest;

#ifdef COUNT_CALLS
/* With -finstrument-functions: how many functions were called. */
static unsigned long calls;
void __cyg_profile_func_enter(void *function, void *from) __attribute__((no_instrument_function));
void __cyg_profile_func_exit(void *function, void *from) __attribute__((no_instrument_function));
void __cyg_profile_func_enter(void *function, void *from) { (void)function, (void)from, calls++; }
void __cyg_profile_func_exit(void *function, void *from) { (void)function, (void)from; }
#endif

/* Values that nothing may be sent with: no number, no finite number, beyond 2^53-1, no UTF-8, no item, a key twice, too long. */
static const char too_long[PL_FRAME_MAX] = {0};
static pl_value unsendable[] = {
    {PL_NUMBER, {.number = 0}}, {PL_NUMBER, {.number = 0}}, {PL_INTEGER, {.integer = LARGEST + 1}},
    {PL_TEXT, {.text = {"\xC3\x28", 2}}}, {PL_JSON, {.text = {"\x82\x01", 2}}}, {PL_JSON, {.text = {"\xA2\x61k\x01\x61k\x02", 7}}},
    {PL_TEXT, {.text = {too_long, sizeof too_long}}}};

static uint8_t read_it(void *context, pl_address address, pl_value *value) {
  (void)context;
  if (address.place == 1 && address.service == 1) {
    value->type = PL_INTEGER;
    value->as.integer = acted;
    return PL_OK;
  }
  if (++reading > deepest) deepest = reading;
  if (tells_while_reading && reading < 50) pl_changed(&node, address);
  reading--;
  if (unsent && slot_of(&node, address) == wrong_slot) {
    *value = *unsent;
    return code;
  }
  reader in = {values[slot_of(&node, address)], values[slot_of(&node, address)] + sizeof values[0]};
  take_value(&in, value);
  return code;
}

static uint8_t write_it(void *context, pl_address address, pl_value *value) {
  (void)context;
  writer out;
  acted++;
  if (code != PL_OK) return code;
  begin(&out, values[slot_of(&node, address)], sizeof values[0]);
  put_value(&out, value);
#ifdef WITH_CONFORMANCE
  /* Another mode is another speed: what a WRITE changes besides. */
  if (address.place == 0 && address.service == 4 && address.property == 0) {
    pl_address const speed = {0, 4, 1};
    pl_value const turns = {PL_INTEGER, {.integer = value->as.text.length == 3 ? 100 : 200}};
    writer besides;
    begin(&besides, values[slot_of(&node, speed)], sizeof values[0]);
    put_value(&besides, &turns);
    pl_changed(&node, speed);
  }
#endif
  return out.length > sizeof values[0] ? PL_VALUE_REFUSED : PL_OK;
}

static uint8_t identify_it(void *context, uint8_t place, uint32_t seconds) {
  (void)context, (void)place, (void)seconds;
  acted++;
  return code;
}

static size_t bytes_of(const char *hex, uint8_t *out) {
  size_t count = 0;
  for (unsigned byte; sscanf(hex, "%2x", &byte) == 1; hex += 2) out[count++] = (uint8_t)byte;
  return count;
}

static void show(const uint8_t *bytes, size_t count) {
  while (count-- > 0) printf("%02X", *bytes++);
}

static void show_output(void) {
  uint8_t bytes[7];
  for (size_t count; (count = pl_transmit(&node, bytes, sizeof bytes)) > 0;) show(bytes, count);
  printf("\n");
}

/* Bytes on the line: each frame as its body in hex, each damage as a word. */
static void stream(const uint8_t *bytes, size_t count) {
  for (; count > 0; count--, bytes++) {
    pl_counters const before = node.counters;
    size_t const length = node.rx_length;
    if (*bytes != END) {
      take_byte(&node, *bytes);
      continue;
    }
    take_frame(&node, 0);
    node.tx_state = TX_IDLE;
    if (node.counters.frames > before.frames) show(node.rx, length - 2), printf(" ");
    if (node.counters.crcs > before.crcs) printf("bad_crc ");
    if (node.counters.escapes > before.escapes) printf("bad_escape ");
    if (node.counters.longs > before.longs) printf("too_long ");
  }
  printf("\n");
}

/* Whether bytes are one item of the profile, and how a sender writes the same. */
static void item(const uint8_t *bytes, size_t count) {
  reader in = {bytes, bytes + count};
  uint8_t again[MOST];
  static uint8_t room[MOST];
  writer out;
  pl_value value;
  if (!is_good(&in, 0, room) || in.at != in.end) {
    printf("bad\n");
    return;
  }
  reader whole = {bytes, bytes + count};
  begin(&out, again, sizeof again);
  take_value(&whole, &value);
  put_value(&out, &value);
  printf(whole.at == whole.end ? "good " : "half ");
  show(again, out.length);
  printf("\n");
}

static uint32_t state;

/* Numbers from a seed (xorshift); below `most`. */
static uint32_t any(uint32_t most) {
  state ^= state << 13, state ^= state >> 17, state ^= state << 5;
  return (state >> 8) % most;
}

/* A message that a hub could send, to something that may be there. */
static size_t sensible(uint8_t *body, size_t capacity) {
  static const char *const words[] = {"Switch", "on", "LightColor", "hue", "Own", "mode", "plan", "eco", "Button", "event", ""};
  static const uint8_t types[] = {HELLO_ACK, DESCRIBE, READ, WRITE, WRITE, WRITE, ACK, PING, PONG, FAILED, IDENTIFY, WHO, REPORT, 99};
  unsigned const type = types[any(any(8) == 0 ? sizeof types : sizeof types - 3)];
  bool const is_answer = type == ACK || type == FAILED || type == HELLO_ACK;
  writer out;
  begin(&out, body, capacity);
  put_message(&out, 5, type, is_answer ? node.seq : (uint16_t)any(20));
  put_unsigned(&out, type == FAILED ? any(13) : any(3));
  if (type == READ || type == WRITE) {
    unsigned const pair = any(5) * 2;
    put_text(&out, words[pair]);
    put_unsigned(&out, any(8) == 0 ? any(1200) : pair == 4 ? 999 : 0);
    put_text(&out, words[any(8) == 0 ? any(COUNT(words)) : pair + 1]);
    if (any(2)) put_number(&out, any(2) ? any(400) : scaled(any(100000), -5));
    else if (any(2)) put(&out, (uint8_t)(0xF4 + any(4)));
    else put_text(&out, words[any(COUNT(words))]);
  } else
    for (unsigned each = 0; each < 4; each++) put_unsigned(&out, any(70000));
  return out.length < capacity ? out.length : capacity;
}

/* So many frames from a seed, most of them sensible, many damaged: nothing may be touched that is not the node's. */
static void storm(uint32_t seed, unsigned frames) {
  uint32_t now = 0;
  for (state = seed * 2 + 1; frames > 0; frames--) {
    uint8_t body[PL_FRAME_MAX + 8], line[3 * sizeof body], bytes[16];
    size_t length = any(8) ? sensible(body, sizeof body - 2) : any(sizeof body - 2), count = 0;
    pl_address const address = {0, (uint8_t)any(6), (uint8_t)any(4)};
    for (unsigned wrong = any(3) ? 0 : any(6); wrong > 0 && length > 0; wrong--) body[any((uint32_t)length)] = (uint8_t)any(256);
    uint16_t const crc = crc_of(body, length);
    body[length++] = (uint8_t)(crc >> 8);
    body[length++] = (uint8_t)crc;
    if (any(16) == 0) body[any((uint32_t)length)] ^= 1;
    line[count++] = END;
    for (size_t each = 0; each < length; each++) {
      bool const is_special = body[each] == END || body[each] == ESC;
      if (is_special && any(50)) line[count++] = ESC, line[count++] = body[each] == END ? 0xDC : 0xDD;
      else line[count++] = body[each];
    }
    if (any(50)) line[count++] = END;
    for (size_t taken = 0; taken < count;) {
      taken += pl_receive(&node, line + taken, count - taken, now);
      while (pl_transmit(&node, bytes, 1 + any(16)) > 0);
    }
    now += any(10) ? any(30) : any(any(10) ? 900 : 20000);
    if (any(3) == 0) pl_changed(&node, address);
    if (any(50) == 0) pl_present(&node, (uint8_t)any(3), any(2));
    if (any(20) == 0) {
      pl_value const press = {PL_TEXT, {.text = {"press", 5}}};
      pl_event(&node, address, &press);
    }
    if (any(30) == 0) code = (uint8_t)(any(2) ? 0 : any(12));
    if (any(5000) == 0) pl_reconnected(&node, now);
    pl_tick(&node, now);
    while (pl_transmit(&node, bytes, sizeof bytes) > 0);
    if (pl_is_live(&node)) lived++;
  }
}

int main(void) {
  static char line[2 * MOST + 64], word[16], text[2 * MOST];
  static const pl_driver driver = {read_it, write_it, identify_it};
  static pl_config config = {"02-00-00-00-00-01", &about, devices, 2, 0, &driver, NULL};
  unsigned a, b, c;
  unsendable[0].as.number = strtod("nan", NULL);
  unsendable[1].as.number = strtod("inf", NULL);
  while (fgets(line, sizeof line, stdin)) {
    char *const rest = line + strcspn(line, " \n");
    *word = *text = 0;
    a = b = c = 0;
    sscanf(line, "%15s", word);
    if (strcmp(word, "start") == 0) { /* seq, boot, now */
      sscanf(rest, "%u %u %u", &a, &b, &c);
      config.boot = b;
      memset(values, 0xF6, sizeof values);
      acted = code = 0;
      unsent = NULL;
      tells_while_reading = false;
      printf("%d\n", (int)pl_start(&node, &config, (uint16_t)a, c));
    } else if (strcmp(word, "in") == 0) { /* now, hex */
      sscanf(rest, "%u %32767s", &a, text);
      size_t const count = bytes_of(text, text_of_input);
      printf("%u\n", (unsigned)(count - pl_receive(&node, text_of_input, count, a)));
    } else if (strcmp(word, "out") == 0) show_output();
    else if (strcmp(word, "tick") == 0) {
      sscanf(rest, "%u", &a);
      pl_tick(&node, a);
      show_output();
    } else if (strcmp(word, "run") == 0) { /* from, to: ticks until something is said, and when that was */
      sscanf(rest, "%u %u", &a, &b);
      for (pl_tick(&node, a); node.tx_state == TX_IDLE && a < b; pl_tick(&node, a)) a = b - a > 10 ? a + 10 : b;
      printf("%u ", a);
      show_output();
    } else if (strcmp(word, "value") == 0) { /* slot, hex of an item */
      sscanf(rest, "%u %32767s", &a, text);
      printf("%u\n", (unsigned)bytes_of(text, values[a]));
    } else if (strcmp(word, "changed") == 0) {
      sscanf(rest, "%u", &a);
      pl_changed(&node, address_of(&node, a));
      printf("\n");
    } else if (strcmp(word, "wrong") == 0) { /* slot, which of the values that cannot be sent; none beyond them */
      sscanf(rest, "%u %u", &wrong_slot, &b);
      unsent = b < COUNT(unsendable) ? &unsendable[b] : NULL;
      printf("%u\n", (unsigned)COUNT(unsendable));
    } else if (strcmp(word, "event") == 0) { /* which of the values that cannot be sent */
      pl_address const button = {0, 3, 0};
      sscanf(rest, "%u", &a);
      pl_event(&node, button, &unsendable[a]);
      printf("\n");
    } else if (strcmp(word, "tells") == 0) { /* whether every read says that what it reads has changed */
      sscanf(rest, "%u", &a);
      tells_while_reading = a != 0;
      deepest = 0;
      printf("\n");
    } else if (strcmp(word, "deepest") == 0)
      printf("%u\n", deepest);
    else if (strcmp(word, "step") == 0) { /* distance, step: whether the one is a whole count of the other */
      double distance, step;
      sscanf(rest, "%lf %lf", &distance, &step);
      printf("%d\n", is_step(distance, step));
    }
#ifdef COUNT_CALLS
    else if (strcmp(word, "calls") == 0) { /* hex of an item: how many functions it takes to check it */
      sscanf(rest, "%32767s", text);
      size_t const count = bytes_of(text, text_of_input);
      reader in = {text_of_input, text_of_input + count};
      static uint8_t room[MOST];
      calls = 0;
      printf("%s ", is_good(&in, 0, room) ? "good" : "bad");
      printf("%lu\n", calls);
    }
#endif
    else if (strcmp(word, "press") == 0) { /* which of four words */
      static const char *const words[] = {"press", "release", "double", "long"};
      pl_address const button = {0, 3, 0};
      sscanf(rest, "%u", &a);
      pl_value const value = {PL_TEXT, {.text = {words[a], strlen(words[a])}}};
      pl_event(&node, button, &value);
      printf("\n");
    } else if (strcmp(word, "present") == 0) {
      sscanf(rest, "%u %u", &a, &b);
      pl_present(&node, (uint8_t)a, b != 0);
      printf("\n");
    } else if (strcmp(word, "code") == 0) {
      sscanf(rest, "%u", &a);
      code = (uint8_t)a;
      printf("\n");
    } else if (strcmp(word, "reconnected") == 0) {
      sscanf(rest, "%u", &a);
      pl_reconnected(&node, a);
      printf("\n");
    } else if (strcmp(word, "stream") == 0) {
      sscanf(rest, "%32767s", text);
      memset(&node, 0, sizeof node);
      stream(text_of_input, bytes_of(text, text_of_input));
    } else if (strcmp(word, "item") == 0) {
      sscanf(rest, "%32767s", text);
      item(text_of_input, bytes_of(text, text_of_input));
    } else if (strcmp(word, "storm") == 0) { /* seed, frames */
      sscanf(rest, "%u %u", &a, &b);
      storm(a, b);
      printf("%u %u %u %u\n", (unsigned)node.counters.frames, (unsigned)node.counters.items, lived, acted);
    } else if (strcmp(word, "state") == 0)
      printf("%d %u %u %u %u\n", pl_is_live(&node), acted, (unsigned)node.counters.items, (unsigned)node.counters.events,
             (unsigned)node.counters.values);
    else printf("what?\n");
    fflush(stdout);
  }
}
