/* Text of a page: escaped, styled, without scripts and without anything from elsewhere.
 * */
#include "report.h"

output *report_page;

void report_put(const char *text) {
    output_text(report_page, "%s", text);
}

/* Nothing in it is markup. Bytes that are not UTF-8 or that HTML forbids become '?'. */
void report_safe(const char *text) {
    for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
        const int more = *c < 0x80    ? 0
                         : *c >= 0xF0 ? 3
                         : *c >= 0xE0 ? 2
                         : *c >= 0xC2 ? 1
                                      : -1;
        int good = more >= 0 && *c < 0xF5;
        for (int i = 1; good && i <= more; i++) good = (c[i] & 0xC0) == 0x80;
        if (*c == '<')
            report_put("&lt;");
        else if (*c == '>')
            report_put("&gt;");
        else if (*c == '&')
            report_put("&amp;");
        else if (*c == '"')
            report_put("&quot;");
        else if (*c == '\'')
            report_put("&#39;");
        else if (!good || (*c < 0x20 && *c != '\n' && *c != '\t') || *c == 0x7F)
            report_put("?");
        else {
            output_bytes(report_page, c, (size_t)more + 1);
            c += more;
        }
    }
}

void report_row(const char *name, const char *value) {
    report_put("<tr><th scope=\"row\">");
    report_safe(name);
    report_put("</th><td>");
    report_safe(value);
    report_put("</td></tr>\n");
}

void report_number(double value) {
    output_text(report_page, "%.4g", value);
}

const char report_style[] =
    ":root{--ink:#1c2430;--soft:#5a6676;--line:#d5dbe3;--good:#1b7f4d;--bad:#b3402a;"
    "--fill:#2f6fb0}*{box-sizing:border-box}body{margin:0;background:#f3f5f8;color:"
    "var(--ink);font:16px/1.55 system-ui,-apple-system,\"Segoe UI\",Roboto,sans-serif}"
    "main{max-width:52rem;margin:2rem auto;padding:2.5rem;background:#fff;"
    "border:1px solid "
    "var(--line);border-radius:8px}h1{font-size:1.7rem;line-height:1.25;margin:0 0 "
    ".3rem;overflow-wrap:anywhere}h2{font-size:1.15rem;margin:2.2rem 0 .6rem;"
    "padding-top:.9rem;border-top:1px solid var(--line)}p{margin:.5rem 0}.soft{color:"
    "var(--soft);font-size:.92rem}.mark{display:block;margin:1.2rem 0;padding:.8rem 1rem;"
    "border-left:5px solid var(--good);background:#eef7f2}.mark.no{"
    "border-color:var(--bad);"
    "background:#fbefec}.wide{overflow-x:auto}table{border-collapse:collapse;width:100%;"
    "font-size:.94rem}th,td{text-align:left;vertical-align:top;padding:.35rem .8rem "
    ".35rem 0;border-bottom:1px solid var(--line);font-weight:400}thead th{"
    "color:var(--soft)"
    ";font-size:.85rem}td.n,th.n{text-align:right;font-variant-numeric:tabular-nums;"
    "white-space:nowrap}svg{display:block;width:100%;min-width:34rem;height:auto}"
    "ul.check{"
    "list-style:none;"
    "padding:0}ul.check li{display:flex;gap:.8rem;padding:.55rem 0;"
    "border-bottom:1px solid "
    "var(--line)}.box{flex:none;width:1.1rem;height:1.1rem;margin-top:.2rem;border:1.5px "
    "solid var(--ink)}.sign{display:grid;grid-template-columns:1fr 1fr;gap:2.6rem 2rem;"
    "margin-top:3rem}.sign div{border-top:1px solid var(--ink);"
    "padding-top:.3rem;font-size:"
    ".85rem;color:var(--soft)}code{font-size:.85em;overflow-wrap:anywhere}"
    "@media(max-width:640px){main{margin:0;padding:1.2rem;border:0;border-radius:0}.sign{"
    "grid-template-columns:1fr}}@media print{body{background:#fff;font-size:10.5pt}main{"
    "margin:0;padding:0;border:0;max-width:none}h2,.mark,svg,li,tr{break-inside:avoid}h2{"
    "break-after:avoid}@page{margin:18mm}}";
