import { limits, manifestOf } from "@tintype/contract";
import { expect, test } from "vitest";
import { publicPaths } from "../site/pages.ts";
import { articleSlugs } from "../site/paths.ts";
import { readArticles } from "./articles.server.ts";
import { readLegalText } from "./legal.server.ts";
import { readQuestions } from "./questions.server.ts";
import { readToolPages } from "./tool-pages.server.ts";

const sources = import.meta.glob<string>("../../content/**/*.md", { query: "?raw", import: "default", eager: true });
const code = import.meta.glob<string>(["../../routes/*.tsx", "../../features/**/*.tsx", "!**/*.test.tsx"], {
  query: "?raw",
  import: "default",
  eager: true,
});

test("there are the six articles in their order, each of 900 to 1,500 words in parts", () => {
  const articles = readArticles();
  expect(articles.map(({ slug }) => slug)).toEqual(articleSlugs);
  for (const { slug, words, sections } of articles) {
    expect([slug, words >= 900 && words <= 1500]).toEqual([slug, true]);
    expect(sections.length).toBeGreaterThanOrEqual(5);
  }
});

test("each tool page has three paragraphs, questions of its own, and a tool that has its options", () => {
  const pages = readToolPages();
  expect(new Set(pages.map(({ link }) => link)).size).toBe(pages.length);
  for (const { slug, tool, settings, text, questions } of pages) {
    expect([slug, text.match(/<p>/g)?.length]).toEqual([slug, 3]);
    expect(questions.length).toBeGreaterThanOrEqual(2);
    for (const { question, plainAnswer } of questions) {
      expect(question).toMatch(/[?]$/);
      expect(plainAnswer).not.toMatch(/[<{]/);
    }
    const { aim: _, ...options } = settings;
    const unknown = Object.keys(options).filter((name) => !(name in manifestOf(tool).fields));
    expect([slug, ...unknown]).toEqual([slug]);
  }
});

test("there are fourteen questions, no two alike, each with an answer", () => {
  const questions = readQuestions();
  expect(questions).toHaveLength(14);
  expect(new Set(questions.map(({ id }) => id)).size).toBe(14);
  for (const { question, plainAnswer } of questions) {
    expect(question).toMatch(/[?]$/);
    expect(plainAnswer.length).toBeGreaterThan(80);
  }
});

test("the legal texts have every section they are meant to have, of the same day", () => {
  const headings = (name: "terms" | "policy") => readLegalText(name).sections.map(({ heading }) => heading);
  expect(headings("terms")).toEqual([
    "Introduction",
    "Use of Services",
    "User Account",
    "Intellectual Property",
    "Subscription and Payments",
    "Usage Limitations",
    "Content and Data",
    "User Conduct",
    "Privacy",
    "Disclaimer of Warranties",
    "Limitation of Liability",
    "Changes to Terms",
    "Governing Law",
    "Contact",
  ]);
  expect(headings("policy")).toEqual([
    "Introduction",
    "Information We Collect",
    "How We Use Your Information",
    "Sharing of Information",
    "Data Security",
    "Cookies",
    "Your Rights",
    "Data Retention",
    "Third-Party Links",
    "Changes",
    "Contact",
  ]);
  for (const name of ["terms", "policy"] as const) expect(readLegalText(name).updated).toBe("2025-05-21");
});

test("the terms and the questions tell both ways to change a plan, and what goes back to the card", () => {
  const terms = readLegalText("terms").sections.find(({ heading }) => heading === "Subscription and Payments")?.html;
  const answer = readQuestions().find(({ question }) => question.startsWith("Can I cancel"))?.plainAnswer;
  for (const words of [terms, answer]) {
    expect(words).toMatch(/at renewal charges nothing today/);
    expect(words).toMatch(/higher plan can also start now: you pay .* immediately/);
    expect(words).toMatch(/the price of (its|the) unused days/);
    expect(words).toMatch(/undo the cancellation/);
  }
});

test("links inside the content lead to pages there are", () => {
  const pages = new Set([...publicPaths, "/pricing", "/api/openapi.json"]);
  const dead = Object.entries(sources).flatMap(([file, source]) =>
    [...source.matchAll(/\]\((\/[^)#]*)(#[^)]*)?\)/g)]
      .filter(([, path = ""]) => !pages.has(path))
      .map(([link]) => `${file}: ${link}`),
  );
  expect(dead).toEqual([]);
});

test("no price and no limit is typed into a page: they come from the one table", () => {
  const numbers = new Set(
    Object.values(limits).flatMap(({ window: _, ...values }) => Object.values(values).filter((value) => value > 0)),
  );
  const typed = Object.entries({ ...sources, ...code }).flatMap(([file, source]) => [
    ...[...source.matchAll(/(?:[$₹]|\b(?:USD|INR|Rs) ?)\d[\d,.]*/g)].map(([found]) => `${file}: ${found}`),
    ...[...source.matchAll(/\b([\d,]+)\s+(?:free )?(?:credits|MB|megapixels|files|pictures at)\b/g)]
      .filter(([, number = ""]) => numbers.has(Number(number.replaceAll(",", ""))))
      .map(([found]) => `${file}: ${found}`),
  ]);
  expect(typed).toEqual([]);
});
