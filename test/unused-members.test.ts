import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import ts from "typescript";
import { expect, test } from "vitest";

// knip finds unused exports but does not look inside them. This test finds members of exported types, objects and classes that
// no code in the repository reads. It compares names only, which is enough to find forgotten members.

type Source = { path: string; tree: ts.SourceFile };

const isSource = (path: string) =>
  /^(packages\/(client|codecs|mcp|contract|imaging|payment-sandbox|server)\/src|packages\/web\/app|test|bench|scripts)\/.*[.](tsx?|mjs)$/.test(
    path,
  ) && !/[.]d[.]ts$|[.]gen[.]ts$|^packages\/codecs\/src\/kernels\/assembly\/|^test\/fixtures\//.test(path);
/** Fields that are sent over the network are read by clients, so schemas are excluded. */
const isOurs = (path: string) =>
  /^packages\//.test(path) && !/[.]test[.]|\/testing\/|contract\/src\/schemas\//.test(path);

const parse = (path: string, text: string): Source => ({
  path,
  tree: ts.createSourceFile(
    path,
    text,
    ts.ScriptTarget.Latest,
    true,
    path.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS,
  ),
});

function walk(node: ts.Node, visit: (node: ts.Node) => void) {
  visit(node);
  ts.forEachChild(node, (child) => walk(child, visit));
}

const nameOf = (name: ts.Node | undefined): string | undefined =>
  name && (ts.isIdentifier(name) || ts.isStringLiteral(name)) ? name.text : undefined;

/** Names that code reads: `a.name`, `a["name"]`, `{ name } = a`, `{ name }`, and strings equal to a name. */
function namesRead({ tree }: Source): Set<string> {
  const read = new Set<string>();
  const add = (name: ts.Node | undefined) => {
    const text = nameOf(name);
    if (text !== undefined) read.add(text);
  };
  walk(tree, (node) => {
    if (ts.isPropertyAccessExpression(node)) add(node.name);
    else if (ts.isBindingElement(node)) add(node.propertyName ?? node.name);
    else if (ts.isIndexedAccessTypeNode(node))
      walk(node.indexType, (one) => ts.isLiteralTypeNode(one) && add(one.literal));
    // A key in an object literal is not a read.
    else if (ts.isStringLiteral(node) && !(ts.isPropertyAssignment(node.parent) && node.parent.name === node))
      add(node);
  });
  return read;
}

/** Members whose reader this test does not see, with that reader. */
const readElsewhere: Record<string, string> = {
  "AnswerTo._zod": "the compiler",
  "PictureId.brand": "the compiler",
  text: "test/texts.test.ts compares it with docs/replaced-texts.md",
  SubscriptionEntity: "callers of the sandbox: the fields of Razorpay's API",
  InvoiceEntity: "callers of the sandbox: the fields of Razorpay's API",
  PaymentEntity: "callers of the sandbox: the fields of Razorpay's API",
  PlanEntity: "callers of the sandbox: the fields of Razorpay's API",
  IdentityProviderOptions: "better-auth",
  formLimits: "busboy",
  FormCall: "calls that @hey-api/openapi-ts generated",
  PgliteSocket: "node-postgres",
  allocatorEnvironment: "glibc, in the engine's environment",
  "Message.replyTo": "nodemailer",
  CheckoutOptions: "Razorpay's checkout",
  "ArticleSummary.srcSet": "React, as an attribute that is spread",
};

type Member = { path: string; owner: string; name: string };

function membersOf({ path, tree }: Source): Member[] {
  const found: Member[] = [];
  const isExported = (node: ts.Node) =>
    ts.canHaveModifiers(node) && ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
  const addTypes = (owner: string, type: ts.Node) =>
    walk(type, (node) => {
      // Parameters in function types are not members.
      if ((ts.isPropertySignature(node) || ts.isMethodSignature(node)) && nameOf(node.name))
        found.push({ path, owner, name: nameOf(node.name) ?? "" });
    });
  for (const statement of tree.statements) {
    if (!isExported(statement)) continue;
    if (ts.isTypeAliasDeclaration(statement)) addTypes(statement.name.text, statement.type);
    if (ts.isClassDeclaration(statement))
      for (const member of statement.members)
        if (member.name && !ts.isPrivateIdentifier(member.name) && !ts.getCombinedModifierFlags(member))
          found.push({ path, owner: statement.name?.text ?? "", name: nameOf(member.name) ?? "" });
    if (ts.isVariableStatement(statement))
      for (const { name, initializer, type } of statement.declarationList.declarations) {
        const literal = initializer && unwrapped(initializer);
        // A record's members are read by computed keys.
        if (
          !literal ||
          !ts.isObjectLiteralExpression(literal) ||
          /Record</.test(`${type?.getText() ?? ""}${initializer.getText().slice(literal.getText().length)}`)
        )
          continue;
        for (const member of literal.properties)
          if (nameOf(member.name)) found.push({ path, owner: name.getText(), name: nameOf(member.name) ?? "" });
      }
  }
  return found;
}

const unwrapped = (node: ts.Expression): ts.Expression =>
  ts.isAsExpression(node) || ts.isSatisfiesExpression(node) ? unwrapped(node.expression) : node;

function unusedMembers(sources: readonly Source[]): string[] {
  const read = new Set(sources.flatMap((source) => [...namesRead(source)]));
  return sources
    .filter(({ path }) => isOurs(path))
    .flatMap(membersOf)
    .filter(({ owner, name }) => !read.has(name) && !(owner in readElsewhere) && !(`${owner}.${name}` in readElsewhere))
    .map(({ path, owner, name }) => `${path}: ${owner}.${name}`);
}

test("every member of an exported type, object or class is read somewhere", () => {
  const paths = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], { encoding: "utf8" })
    .trim()
    .split("\n")
    .filter(isSource);
  const sources = paths.map((path) => parse(path, readFileSync(path, "utf8")));
  expect(sources.length).toBeGreaterThan(700);
  expect(unusedMembers(sources)).toEqual([]);
});

test("a member without a reader is found, whether it is of a type, an object or a class", () => {
  const planted = parse(
    "packages/server/src/planted.ts",
    `export type A = { used: string; forgotten: number };
     export const b = { kept: 1, lost: 2 } as const;
     export class C { called() {} uncalled() {} }
     export const d: Record<string, number> = { any: 1 };
     console.log((null as A).used, b.kept, new C().called());`,
  );
  expect(unusedMembers([planted])).toEqual([
    "packages/server/src/planted.ts: A.forgotten",
    "packages/server/src/planted.ts: b.lost",
    "packages/server/src/planted.ts: C.uncalled",
  ]);
});
