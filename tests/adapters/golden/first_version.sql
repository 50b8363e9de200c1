-- A data folder of the first version: a commit, and one that its process did not live to place.
BEGIN TRANSACTION;
CREATE TABLE conversations (
        id TEXT PRIMARY KEY,
        tenant TEXT NOT NULL DEFAULT 'local',
        project_id TEXT NOT NULL,
        title TEXT NOT NULL,
        created_at TEXT NOT NULL,
        updated_at TEXT NOT NULL
    ) WITHOUT ROWID
    ;
INSERT INTO "conversations" VALUES('c1','local','p1','A page','2026-01-01T00:00:00.000Z','2026-01-01T00:00:00.000Z');
CREATE TABLE digests (
        tenant TEXT NOT NULL DEFAULT 'local',
        project_id TEXT NOT NULL,
        path TEXT NOT NULL,
        signature TEXT NOT NULL,
        digest TEXT NOT NULL,
        media_type TEXT NOT NULL,
        PRIMARY KEY (project_id, path)
    ) WITHOUT ROWID
    ;
CREATE TABLE events (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        tenant TEXT NOT NULL DEFAULT 'local',
        project_id TEXT,
        conversation_id TEXT,
        run_id TEXT,
        message_id TEXT,
        at TEXT NOT NULL,
        event BLOB NOT NULL
    );
INSERT INTO "events" VALUES(1,'local','p1',NULL,NULL,NULL,'2026-01-01T00:00:00.000Z',X'7B2274797065223A2266696C653A6368616E676564222C2270617468223A22696E6465782E68746D6C222C22646967657374223A2237363932633361643335343062623830336330323062336165653636636438383837313233323334656130633665373134336330616464373366663433316564222C227265766973696F6E223A227231222C22617574686F72223A226D6F64656C227D');
INSERT INTO "events" VALUES(2,'local','p1',NULL,NULL,NULL,'2026-01-01T00:00:00.000Z',X'7B2274797065223A2266696C653A6368616E676564222C2270617468223A22696E6465782E68746D6C222C22646967657374223A2233666334636366653734353837306532633064393966373166333066663036353663386465646434316363316437643364333736623064626536383565326633222C227265766973696F6E223A227232222C22617574686F72223A226D6F64656C227D');
CREATE TABLE heads (
        tenant TEXT NOT NULL DEFAULT 'local',
        project_id TEXT NOT NULL,
        path TEXT NOT NULL,
        revision_id TEXT NOT NULL,
        number INTEGER NOT NULL,
        digest TEXT NOT NULL,
        PRIMARY KEY (project_id, path)
    ) WITHOUT ROWID
    ;
INSERT INTO "heads" VALUES('local','p1','index.html','r2',2,'3fc4ccfe745870e2c0d99f71f30ff0656c8dedd41cc1d7d3d376b0dbe685e2f3');
CREATE TABLE messages (
        position INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        tenant TEXT NOT NULL DEFAULT 'local',
        project_id TEXT NOT NULL,
        conversation_id TEXT NOT NULL,
        run_id TEXT,
        body TEXT NOT NULL
    );
INSERT INTO "messages" VALUES(1,'m1','local','p1','c1',NULL,'{"id":"m1","conversationId":"c1","role":"user","parts":[{"type":"text","text":"Make a page","start":0}],"chars":0,"runId":null,"createdAt":"2026-01-01T00:00:00.000Z"}');
CREATE TABLE placements (
        tenant TEXT NOT NULL DEFAULT 'local',
        project_id TEXT NOT NULL,
        path TEXT NOT NULL,
        digest TEXT, -- none: the file is to be removed
        before TEXT, -- digest of the working file it replaces, none: there was none
        revision_id TEXT,
        manifest TEXT,
        PRIMARY KEY (project_id, path)
    ) WITHOUT ROWID
    ;
INSERT INTO "placements" VALUES('local','p1','index.html','3fc4ccfe745870e2c0d99f71f30ff0656c8dedd41cc1d7d3d376b0dbe685e2f3','7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed','r2','{
  "version": 1,
  "kind": "html",
  "title": "two",
  "entry": "index.html",
  "renderer": "html",
  "status": "complete",
  "exports": [
    "html"
  ],
  "createdAt": "2026-01-01T00:00:00.000Z",
  "updatedAt": "2026-01-01T00:00:00.000Z"
}
');
CREATE TABLE projects (
        id TEXT PRIMARY KEY,
        tenant TEXT NOT NULL DEFAULT 'local',
        name TEXT NOT NULL,
        title TEXT NOT NULL,
        root TEXT NOT NULL, -- relative to the data folder, or absolute
        created_at TEXT NOT NULL,
        updated_at TEXT NOT NULL,
        UNIQUE (tenant, name)
    ) WITHOUT ROWID
    ;
INSERT INTO "projects" VALUES('p1','local','site','Site','projects/site','2026-01-01T00:00:00.000Z','2026-01-01T00:00:00.000Z');
CREATE TABLE revisions (
        id TEXT PRIMARY KEY,
        tenant TEXT NOT NULL DEFAULT 'local',
        project_id TEXT NOT NULL,
        path TEXT NOT NULL,
        number INTEGER NOT NULL,
        digest TEXT NOT NULL,
        body TEXT NOT NULL,
        manifest TEXT,
        UNIQUE (project_id, path, number)
    ) WITHOUT ROWID
    ;
INSERT INTO "revisions" VALUES('r1','local','p1','index.html',1,'7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed','{"id":"r1","projectId":"p1","path":"index.html","number":1,"parent":null,"author":"model","digest":"7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed","size":3,"runId":null,"reason":null,"createdAt":"2026-01-01T00:00:00.000Z"}','{
  "version": 1,
  "kind": "html",
  "title": "one",
  "entry": "index.html",
  "renderer": "html",
  "status": "complete",
  "exports": [
    "html"
  ],
  "createdAt": "2026-01-01T00:00:00.000Z",
  "updatedAt": "2026-01-01T00:00:00.000Z"
}
');
INSERT INTO "revisions" VALUES('r2','local','p1','index.html',2,'3fc4ccfe745870e2c0d99f71f30ff0656c8dedd41cc1d7d3d376b0dbe685e2f3','{"id":"r2","projectId":"p1","path":"index.html","number":2,"parent":"r1","author":"model","digest":"3fc4ccfe745870e2c0d99f71f30ff0656c8dedd41cc1d7d3d376b0dbe685e2f3","size":3,"runId":null,"reason":null,"createdAt":"2026-01-01T00:00:00.000Z"}','{
  "version": 1,
  "kind": "html",
  "title": "two",
  "entry": "index.html",
  "renderer": "html",
  "status": "complete",
  "exports": [
    "html"
  ],
  "createdAt": "2026-01-01T00:00:00.000Z",
  "updatedAt": "2026-01-01T00:00:00.000Z"
}
');
CREATE TABLE runs (
        id TEXT PRIMARY KEY,
        tenant TEXT NOT NULL DEFAULT 'local',
        project_id TEXT NOT NULL,
        conversation_id TEXT NOT NULL,
        state TEXT NOT NULL,
        body TEXT NOT NULL,
        prompt TEXT
    ) WITHOUT ROWID
    ;
CREATE TABLE settings (
        tenant TEXT NOT NULL DEFAULT 'local',
        project_id TEXT NOT NULL DEFAULT '',
        key TEXT NOT NULL,
        value TEXT NOT NULL,
        PRIMARY KEY (tenant, project_id, key)
    ) WITHOUT ROWID
    ;
INSERT INTO "settings" VALUES('local','','language','en');
CREATE INDEX conversations_of_project ON conversations (project_id, updated_at);
CREATE INDEX messages_of_conversation ON messages (conversation_id, position);
CREATE INDEX runs_running ON runs (id) WHERE state = 'running';
CREATE INDEX runs_of_project ON runs (project_id);
CREATE INDEX runs_of_conversation ON runs (conversation_id);
CREATE INDEX events_of_run ON events (run_id, seq) WHERE run_id IS NOT NULL;
CREATE INDEX events_of_project ON events (project_id, seq);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('messages',1);
INSERT INTO "sqlite_sequence" VALUES('events',2);
COMMIT;
PRAGMA user_version = 1;
