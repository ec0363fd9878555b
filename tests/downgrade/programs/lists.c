#include <stdio.h>
#include <stdlib.h>
struct node { int key; struct node *left, *right; void (*visit)(struct node *, long *); };
static void add(struct node *n, long *sum) { *sum = *sum * 31 + n->key; } static void sub(struct node *n, long *sum) { *sum ^= n->key; }
static struct node *insert(struct node *t, int key) { if (!t) { t = malloc(sizeof *t); *t = (struct node){key, 0, 0, key % 3 ? add : sub}; } else if (key < t->key) t->left = insert(t->left, key); else t->right = insert(t->right, key); return t; }
static void walk(struct node *t, long *sum) { for (; t; t = t->right) { walk(t->left, sum); t->visit(t, sum); } }
int main(int argc, char **argv) { struct node *t = 0; long sum = 0; for (int i = 1; i < 200; i++) t = insert(t, i * 7919 % 211 + argc); walk(t, &sum); printf("%ld\n", sum); }
