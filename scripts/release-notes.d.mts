export declare function notesOf(changelog: string, version: string): string;
