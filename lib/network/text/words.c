/* Words of a network's text: cutting them, numbers and choices, and what is said of a
 * wrong one. */
#include "text.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

int32_t pvgi_network_text_wrong_word(const pvgi_text_reader *r, int32_t at,
                                     const char *reason) {
    if (at >= r->count)
        return pvgi_fail(PVG_E_ARGUMENT, "pvg_network_from_text: at the end: %s", reason);
    return pvgi_fail(PVG_E_ARGUMENT,
                     "pvg_network_from_text: word %d, \"%s\" at character %d: %s",
                     (int)at + 1, r->words[at].text, (int)r->words[at].place, reason);
}

int32_t pvgi_network_text_split_words(pvgi_text_reader *r, const char *text) {
    for (int32_t i = 0; text[i];) {
        if (isspace((unsigned char)text[i])) {
            i++;
            continue;
        }
        if (r->count == PVGI_TEXT_WORDS)
            return pvgi_fail(PVG_E_LIMIT, "pvg_network_from_text: more than %d words",
                             (int)PVGI_TEXT_WORDS);
        pvgi_text_word *w = &r->words[r->count++];
        w->place = i + 1;
        int32_t length = 0;
        const bool bar = text[i] == '|';
        while (text[i] && !isspace((unsigned char)text[i]) && (bar || text[i] != '|')) {
            if (length == PVGI_TEXT_WORD_BYTES - 1) {
                w->text[length] = '\0';
                return pvgi_network_text_wrong_word(r, r->count - 1, "too long");
            }
            const unsigned char c = (unsigned char)text[i];
            w->text[length++] = isprint(c) ? (char)c : '?';
            i++;
            if (bar) break;
        }
        w->text[length] = '\0';
    }
    return PVG_OK;
}

const char *pvgi_network_text_peek(const pvgi_text_reader *r) {
    return r->at < r->count ? r->words[r->at].text : "|";
}

bool pvgi_network_text_stage_ends(const pvgi_text_reader *r) {
    return strcmp(pvgi_network_text_peek(r), "|") == 0;
}

bool pvgi_network_text_take(pvgi_text_reader *r, const char *name) {
    if (strcmp(pvgi_network_text_peek(r), name) != 0) return false;
    r->at++;
    return true;
}

/* A plain decimal number; strtod would read the host's locale. */
static bool read_number(double *out, const char *text) {
    double value = 0, scale = 1;
    bool digits = false, point = false;
    for (; *text; text++) {
        if (*text == '.' && !point) {
            point = true;
        } else if (*text >= '0' && *text <= '9') {
            digits = true;
            value = 10 * value + (*text - '0');
            if (point) scale *= 10;
        } else {
            return false;
        }
    }
    *out = value / scale;
    return digits && value < 1e15;
}

int32_t pvgi_network_text_take_probability(double *out, pvgi_text_reader *r) {
    if (!read_number(out, pvgi_network_text_peek(r)) || !(*out < 1))
        return WRONG(r, "expected a probability below 1");
    r->at++;
    return PVG_OK;
}

int32_t pvgi_network_text_take_whole(int64_t *out, pvgi_text_reader *r, int64_t most,
                                     const char *reason) {
    double value;
    if (pvgi_network_text_take(r, "classes"))
        *out = r->p->classes;
    else if (!read_number(&value, pvgi_network_text_peek(r)) || value < 1 ||
             value > (double)most || floor(value) != value)
        return WRONG(r, reason);
    else {
        *out = (int64_t)value;
        r->at++;
    }
    return PVG_OK;
}

int32_t pvgi_network_text_take_width(int64_t *out, pvgi_text_reader *r) {
    return pvgi_network_text_take_whole(
        out, r, PVG_NETWORK_WIDTH_MAX,
        "expected a number of columns, 1 to 4096, or classes");
}

/* name=value, if it is the next word. */
int32_t pvgi_network_text_take_setting(double *out, pvgi_text_reader *r, const char *name,
                                       double least, double most) {
    const size_t length = strlen(name);
    const char *text = pvgi_network_text_peek(r);
    if (strncmp(text, name, length) != 0 || text[length] != '=') return PVG_OK;
    if (!read_number(out, text + length + 1) || *out < least || *out > most)
        return WRONG(r, "the number is malformed or out of range");
    r->at++;
    return PVG_OK;
}
