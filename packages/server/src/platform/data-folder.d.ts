/**
 * Makes the data folder, and what lies in it since an earlier release, the owner's alone: folders 0700, files 0600.
 * Answers what could not be changed, as on a disk that knows no modes or that belongs to another user.
 */
export declare function closeDataFolder(folder: string): string[];
