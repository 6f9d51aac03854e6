/* privgraph: the command-line tool. A table of commands; everything else is in theirs. */
#include "tool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const command command_advise, command_attack_explain, command_attack_links,
    command_attack_membership, command_attack_reconstruct, command_audit_edge,
    command_audit_features, command_audit_graph, command_audit_labels,
    command_audit_propagate, command_audit_reidentify, command_audit_scores,
    command_calibrate, command_classify, command_convert, command_embed, command_info,
    command_learn_edges, command_learn_embeddings, command_learn_nodes,
    command_learn_users, command_ledger_check, command_ledger_claim,
    command_ledger_compact, command_ledger_create, command_ledger_repair,
    command_ledger_show, command_ledger_spend, command_ledger_verify,
    command_lists_lengths, command_lists_pairs, command_lists_rows, command_lists_top,
    command_patterns_describe, command_patterns_list, command_patterns_sample,
    command_perturb_features, command_perturb_graph, command_perturb_labels, command_plan,
    command_propagate, command_report, command_stats, command_synthesize, command_preview,
    command_verify;

/* In the order a newcomer needs. */
static const command *const fixed[] = {
    &command_embed,
    &command_perturb_graph,
    &command_perturb_features,
    &command_perturb_labels,
    &command_propagate,
    &command_report,
#ifdef TOOL_LEARN
    &command_classify,
    &command_learn_edges,
    &command_learn_nodes,
    &command_learn_users,
    &command_learn_embeddings,
#endif
    &command_stats,
    &command_synthesize,
    &command_lists_top,
    &command_lists_lengths,
    &command_lists_rows,
    &command_lists_pairs,
    &command_advise,
    &command_calibrate,
    &command_plan,
    &command_preview,
    &command_patterns_list,
    &command_patterns_sample,
    &command_patterns_describe,
    &command_ledger_create,
    &command_ledger_show,
    &command_ledger_check,
    &command_ledger_spend,
    &command_ledger_verify,
    &command_ledger_repair,
    &command_ledger_claim,
    &command_ledger_compact,
#ifdef TOOL_LEARN
    &command_attack_links,
    &command_attack_membership,
    &command_attack_explain,
    &command_attack_reconstruct,
    &command_audit_edge,
    &command_audit_graph,
    &command_audit_features,
    &command_audit_labels,
    &command_audit_propagate,
    &command_audit_scores,
    &command_audit_reidentify,
#endif
    &command_verify,
    &command_convert,
    &command_info,
};

/* Those, and one for each kind of query. */
static const command *commands[COUNT_OF(fixed) + 64];
static size_t command_count;

static void collect(void) {
    kind_form *const forms[] = {&perturb_graph, &perturb_features, &perturb_labels,
                                &propagate_form, &synthesis_form};
    for (size_t i = 0; i < COUNT_OF(forms); i++) kind_fill(forms[i]);
    for (int i = 0; i < LISTS_FORMS; i++) kind_fill(&lists_forms[i]);
#ifdef TOOL_LEARN
    for (int i = 0; i < LEARN_FORMS; i++) kind_fill(&learn_forms[i]);
#endif
    memcpy(commands, fixed, sizeof fixed);
    command_count =
        COUNT_OF(fixed) + release_commands(commands + COUNT_OF(fixed),
                                           COUNT_OF(commands) - COUNT_OF(fixed));
}

static void list_commands(FILE *to, const char *first_word) {
    const size_t length = strlen(first_word);
    if (length == 0)
        fprintf(to, "  %-20s %s\n", "release KIND",
                "any kind of query: numbers, graphs, lists, features, labels");
    for (size_t i = 0; i < (length > 0 ? command_count : COUNT_OF(fixed)); i++)
        if (strncmp(commands[i]->name, first_word, length) == 0)
            fprintf(to, "  %-*s %s\n", length > 0 ? 24 : 20, commands[i]->name,
                    commands[i]->summary);
}

static void show_help(FILE *to) {
    fprintf(to, "usage: privgraph COMMAND [OPTION...]\n\n"
                "Turns private graphs into things that may be published, each with a "
                "guarantee that is true.\n\n");
    list_commands(to, "");
    fprintf(
        to,
        "\n'privgraph COMMAND --help' tells more; 'privgraph --version' the version.\n"
        "Data go to stdout, talk to stderr; - is stdin or stdout. NO_COLOR is heeded.\n"
        "%s"
        "\nExample:\n"
        "  privgraph embed --patterns edge,path3,triangle --epsilon 1 --order 1000 "
        "friends.txt\n",
        exit_codes);
}

/* The command that argv begins with; *words: how many of them name it. */
static const command *find(int argc, char **argv, int *words) {
    char both[128];
    for (*words = argc > 1 ? 2 : 1; *words > 0; --*words) {
        snprintf(both, sizeof both, *words == 2 ? "%s %s" : "%s", argv[0],
                 *words == 2 ? argv[1] : "");
        for (size_t i = 0; i < command_count; i++)
            if (strcmp(commands[i]->name, both) == 0) return commands[i];
    }
    return NULL;
}

/* "ledger", "ledger --help", "ledger sohw" */
static _Noreturn void half_command(int argc, char **argv) {
    char first[64];
    bool known = false;
    snprintf(first, sizeof first, "%s ", argv[0]);
    for (size_t i = 0; i < command_count; i++)
        known = known || strncmp(commands[i]->name, first, strlen(first)) == 0;
#ifndef TOOL_LEARN
    static const char *const learning[] = {"classify", "learn", "attack", "audit"};
    for (size_t i = 0; i < COUNT_OF(learning); i++)
        if (strcmp(argv[0], learning[i]) == 0) fail(CODE_FAILED, WITHOUT_LEARN, argv[0]);
#endif
    if (!known) usage_error("there is no command '%s'", argv[0]);
    const bool help =
        argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0);
    if (argc > 1 && !help && argv[1][0] != '-')
        tell("there is no command '%s %s'", argv[0], argv[1]);
    fprintf(help ? stdout : stderr, "usage: privgraph COMMAND [OPTION...]\n\n");
    list_commands(help ? stdout : stderr, first);
    exit(help ? CODE_OK : CODE_USAGE);
}

int main(int argc, char **argv) {
    char *operands[OPERANDS_MAX] = {NULL};
    int words = 0;
    output_start();
    talk_start();
    words_begin();
    collect();
    if (argc < 2) {
        show_help(stderr);
        return CODE_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
        (strcmp(argv[1], "help") == 0 && argc == 2)) {
        show_help(stdout);
        return CODE_OK;
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("privgraph %s\n", pvg_version_string());
        return CODE_OK;
    }
    if (strcmp(argv[1], "--dump-kinds") == 0) {
        char *text = copied(kinds_copy, NULL);
        fputs(text, stdout);
        free(text);
        return CODE_OK;
    }
    if (strcmp(argv[1], "--dump-options") == 0) {
        options_dump(commands, command_count);
        return CODE_OK;
    }
    const bool help = strcmp(argv[1], "help") == 0;
    const command *self = find(argc - 1 - help, argv + 1 + help, &words);
    if (help && self) {
        options_help(self);
        return CODE_OK;
    }
    if (!self && help) half_command(2, (char *[]){argv[2], (char[]){"--help"}});
    if (!self) half_command(argc - 1, argv + 1);
    talk_command(self->name);
    const int count = options_parse(operands, self, argc - 1 - words, argv + 1 + words);
    if (common_threads < 1 || common_threads > PVG_THREADS_MAX)
        usage_error("--threads must be 1 to %d", PVG_THREADS_MAX);
    self->run(count, operands);
    if (fflush(stdout) != 0) fail(CODE_FAILED, "stdout: cannot write");
    return CODE_OK;
}
