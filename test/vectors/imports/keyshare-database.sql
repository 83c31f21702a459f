--
-- PostgreSQL database dump
--


-- Dumped from database version 15.18 (Debian 15.18-0+deb12u1)
-- Dumped by pg_dump version 15.18 (Debian 15.18-0+deb12u1)

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

--
-- Name: irma; Type: SCHEMA; Schema: -; Owner: -
--

CREATE SCHEMA irma;


SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: email_login_tokens; Type: TABLE; Schema: irma; Owner: -
--

CREATE TABLE irma.email_login_tokens (
    id integer NOT NULL,
    token text NOT NULL,
    email text NOT NULL,
    expiry bigint NOT NULL
);


--
-- Name: email_login_tokens_id_seq; Type: SEQUENCE; Schema: irma; Owner: -
--

CREATE SEQUENCE irma.email_login_tokens_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: email_login_tokens_id_seq; Type: SEQUENCE OWNED BY; Schema: irma; Owner: -
--

ALTER SEQUENCE irma.email_login_tokens_id_seq OWNED BY irma.email_login_tokens.id;


--
-- Name: email_verification_tokens; Type: TABLE; Schema: irma; Owner: -
--

CREATE TABLE irma.email_verification_tokens (
    id integer NOT NULL,
    token text NOT NULL,
    email text NOT NULL,
    expiry bigint NOT NULL,
    user_id integer NOT NULL
);


--
-- Name: email_verification_tokens_id_seq; Type: SEQUENCE; Schema: irma; Owner: -
--

CREATE SEQUENCE irma.email_verification_tokens_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: email_verification_tokens_id_seq; Type: SEQUENCE OWNED BY; Schema: irma; Owner: -
--

ALTER SEQUENCE irma.email_verification_tokens_id_seq OWNED BY irma.email_verification_tokens.id;


--
-- Name: emails; Type: TABLE; Schema: irma; Owner: -
--

CREATE TABLE irma.emails (
    id integer NOT NULL,
    user_id integer NOT NULL,
    email text NOT NULL,
    revalidate_on bigint,
    delete_on bigint
);


--
-- Name: emails_id_seq; Type: SEQUENCE; Schema: irma; Owner: -
--

CREATE SEQUENCE irma.emails_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: emails_id_seq; Type: SEQUENCE OWNED BY; Schema: irma; Owner: -
--

ALTER SEQUENCE irma.emails_id_seq OWNED BY irma.emails.id;


--
-- Name: log_entry_records; Type: TABLE; Schema: irma; Owner: -
--

CREATE TABLE irma.log_entry_records (
    id integer NOT NULL,
    "time" bigint NOT NULL,
    event text NOT NULL,
    param text,
    user_id integer NOT NULL
);


--
-- Name: log_entry_records_id_seq; Type: SEQUENCE; Schema: irma; Owner: -
--

CREATE SEQUENCE irma.log_entry_records_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: log_entry_records_id_seq; Type: SEQUENCE OWNED BY; Schema: irma; Owner: -
--

ALTER SEQUENCE irma.log_entry_records_id_seq OWNED BY irma.log_entry_records.id;


--
-- Name: users; Type: TABLE; Schema: irma; Owner: -
--

CREATE TABLE irma.users (
    id integer NOT NULL,
    username text NOT NULL,
    language text NOT NULL,
    coredata bytea,
    last_seen bigint NOT NULL,
    pin_counter integer NOT NULL,
    pin_block_date bigint NOT NULL,
    delete_on bigint
);


--
-- Name: users_id_seq; Type: SEQUENCE; Schema: irma; Owner: -
--

CREATE SEQUENCE irma.users_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: users_id_seq; Type: SEQUENCE OWNED BY; Schema: irma; Owner: -
--

ALTER SEQUENCE irma.users_id_seq OWNED BY irma.users.id;


--
-- Name: email_login_tokens id; Type: DEFAULT; Schema: irma; Owner: -
--

ALTER TABLE ONLY irma.email_login_tokens ALTER COLUMN id SET DEFAULT nextval('irma.email_login_tokens_id_seq'::regclass);


--
-- Name: email_verification_tokens id; Type: DEFAULT; Schema: irma; Owner: -
--

ALTER TABLE ONLY irma.email_verification_tokens ALTER COLUMN id SET DEFAULT nextval('irma.email_verification_tokens_id_seq'::regclass);


--
-- Name: emails id; Type: DEFAULT; Schema: irma; Owner: -
--

ALTER TABLE ONLY irma.emails ALTER COLUMN id SET DEFAULT nextval('irma.emails_id_seq'::regclass);


--
-- Name: log_entry_records id; Type: DEFAULT; Schema: irma; Owner: -
--

ALTER TABLE ONLY irma.log_entry_records ALTER COLUMN id SET DEFAULT nextval('irma.log_entry_records_id_seq'::regclass);


--
-- Name: users id; Type: DEFAULT; Schema: irma; Owner: -
--

ALTER TABLE ONLY irma.users ALTER COLUMN id SET DEFAULT nextval('irma.users_id_seq'::regclass);


--
-- Data for Name: email_login_tokens; Type: TABLE DATA; Schema: irma; Owner: -
--

INSERT INTO irma.email_login_tokens VALUES (1, 'q57lJP4vFL8uIPUp8fWD', 'confirmed@takes.test', 1795754081);


--
-- Data for Name: email_verification_tokens; Type: TABLE DATA; Schema: irma; Owner: -
--

INSERT INTO irma.email_verification_tokens VALUES (1, 'lEaHXDpcJkLJt1T4TvVm', 'unconfirmed@takes.test', 1796355277, 4);


--
-- Data for Name: emails; Type: TABLE DATA; Schema: irma; Owner: -
--

INSERT INTO irma.emails VALUES (1, 5, 'confirmed@takes.test', NULL, NULL);
INSERT INTO irma.emails VALUES (2, 6, 'first@takes.test', NULL, NULL);
INSERT INTO irma.emails VALUES (3, 6, 'Second@Other.test', NULL, 1798342478);
INSERT INTO irma.emails VALUES (4, 7, 'first@takes.test', NULL, NULL);
INSERT INTO irma.emails VALUES (5, 11, 'owner-deletes@takes.test', NULL, NULL);
INSERT INTO irma.emails VALUES (6, 13, 'expired@takes.test', NULL, NULL);
INSERT INTO irma.emails VALUES (7, 14, 'someone@gone.test', 1796182480, NULL);
INSERT INTO irma.emails VALUES (8, 19, 'legacy@takes.test', NULL, NULL);


--
-- Data for Name: log_entry_records; Type: TABLE DATA; Schema: irma; Owner: -
--

INSERT INTO irma.log_entry_records VALUES (1, 1795750476, 'PIN_CHECK_SUCCESS', NULL, 1);
INSERT INTO irma.log_entry_records VALUES (2, 1795750476, 'IRMA_SESSION', NULL, 1);
INSERT INTO irma.log_entry_records VALUES (3, 1795750476, 'PIN_CHECK_SUCCESS', NULL, 2);
INSERT INTO irma.log_entry_records VALUES (4, 1795750476, 'IRMA_SESSION', NULL, 2);
INSERT INTO irma.log_entry_records VALUES (5, 1795750476, 'PIN_CHECK_SUCCESS', NULL, 2);
INSERT INTO irma.log_entry_records VALUES (6, 1795750476, 'PIN_CHECK_SUCCESS', NULL, 2);
INSERT INTO irma.log_entry_records VALUES (7, 1795750476, 'PIN_CHECK_SUCCESS', NULL, 1);
INSERT INTO irma.log_entry_records VALUES (8, 1795750476, 'PIN_CHECK_SUCCESS', NULL, 3);
INSERT INTO irma.log_entry_records VALUES (9, 1795750476, 'IRMA_SESSION', NULL, 3);
INSERT INTO irma.log_entry_records VALUES (10, 1795750477, 'PIN_CHECK_SUCCESS', NULL, 3);
INSERT INTO irma.log_entry_records VALUES (11, 1795750477, 'IRMA_SESSION', NULL, 3);
INSERT INTO irma.log_entry_records VALUES (12, 1795750477, 'PIN_CHECK_SUCCESS', NULL, 3);
INSERT INTO irma.log_entry_records VALUES (13, 1795750477, 'IRMA_SESSION', NULL, 3);
INSERT INTO irma.log_entry_records VALUES (14, 1795750477, 'PIN_CHECK_FAILED', '2', 3);
INSERT INTO irma.log_entry_records VALUES (15, 1795750477, 'PIN_CHECK_SUCCESS', NULL, 3);
INSERT INTO irma.log_entry_records VALUES (16, 1795750477, 'PIN_CHECK_SUCCESS', NULL, 4);
INSERT INTO irma.log_entry_records VALUES (17, 1795750477, 'IRMA_SESSION', NULL, 4);
INSERT INTO irma.log_entry_records VALUES (18, 1795750477, 'PIN_CHECK_SUCCESS', NULL, 5);
INSERT INTO irma.log_entry_records VALUES (19, 1795750477, 'IRMA_SESSION', NULL, 5);
INSERT INTO irma.log_entry_records VALUES (20, 1795750478, 'PIN_CHECK_SUCCESS', NULL, 6);
INSERT INTO irma.log_entry_records VALUES (21, 1795750478, 'IRMA_SESSION', NULL, 6);
INSERT INTO irma.log_entry_records VALUES (22, 1795750478, 'PIN_CHECK_SUCCESS', NULL, 6);
INSERT INTO irma.log_entry_records VALUES (23, 1795750478, 'IRMA_SESSION', NULL, 6);
INSERT INTO irma.log_entry_records VALUES (24, 1795750478, 'PIN_CHECK_SUCCESS', NULL, 6);
INSERT INTO irma.log_entry_records VALUES (25, 1795750478, 'IRMA_SESSION', NULL, 6);
INSERT INTO irma.log_entry_records VALUES (26, 1795750478, 'PIN_CHECK_SUCCESS', NULL, 7);
INSERT INTO irma.log_entry_records VALUES (27, 1795750478, 'IRMA_SESSION', NULL, 7);
INSERT INTO irma.log_entry_records VALUES (28, 1795750478, 'PIN_CHECK_SUCCESS', NULL, 8);
INSERT INTO irma.log_entry_records VALUES (29, 1795750478, 'IRMA_SESSION', NULL, 8);
INSERT INTO irma.log_entry_records VALUES (30, 1795750479, 'PIN_CHECK_FAILED', '2', 8);
INSERT INTO irma.log_entry_records VALUES (31, 1795750479, 'PIN_CHECK_SUCCESS', NULL, 9);
INSERT INTO irma.log_entry_records VALUES (32, 1795750479, 'IRMA_SESSION', NULL, 9);
INSERT INTO irma.log_entry_records VALUES (33, 1795750479, 'PIN_CHECK_FAILED', '2', 9);
INSERT INTO irma.log_entry_records VALUES (34, 1795750479, 'PIN_CHECK_FAILED', '1', 9);
INSERT INTO irma.log_entry_records VALUES (35, 1795750479, 'PIN_CHECK_SUCCESS', NULL, 10);
INSERT INTO irma.log_entry_records VALUES (36, 1795750479, 'IRMA_SESSION', NULL, 10);
INSERT INTO irma.log_entry_records VALUES (37, 1795750479, 'PIN_CHECK_FAILED', '2', 10);
INSERT INTO irma.log_entry_records VALUES (38, 1795750479, 'PIN_CHECK_FAILED', '1', 10);
INSERT INTO irma.log_entry_records VALUES (39, 1795750479, 'PIN_CHECK_FAILED', '0', 10);
INSERT INTO irma.log_entry_records VALUES (40, 1795750479, 'PIN_CHECK_BLOCKED', '60', 10);
INSERT INTO irma.log_entry_records VALUES (41, 1795750479, 'PIN_CHECK_SUCCESS', NULL, 11);
INSERT INTO irma.log_entry_records VALUES (42, 1795750479, 'IRMA_SESSION', NULL, 11);
INSERT INTO irma.log_entry_records VALUES (43, 1795750479, 'PIN_CHECK_SUCCESS', NULL, 12);
INSERT INTO irma.log_entry_records VALUES (44, 1795750479, 'IRMA_SESSION', NULL, 12);
INSERT INTO irma.log_entry_records VALUES (45, 1795750479, 'PIN_CHECK_SUCCESS', NULL, 12);
INSERT INTO irma.log_entry_records VALUES (46, 1795750479, 'IRMA_SESSION', NULL, 12);
INSERT INTO irma.log_entry_records VALUES (47, 1795750480, 'PIN_CHECK_SUCCESS', NULL, 13);
INSERT INTO irma.log_entry_records VALUES (48, 1795750480, 'IRMA_SESSION', NULL, 13);
INSERT INTO irma.log_entry_records VALUES (49, 1795750480, 'PIN_CHECK_SUCCESS', NULL, 14);
INSERT INTO irma.log_entry_records VALUES (50, 1795750480, 'IRMA_SESSION', NULL, 14);
INSERT INTO irma.log_entry_records VALUES (51, 1795750480, 'PIN_CHECK_SUCCESS', NULL, 15);
INSERT INTO irma.log_entry_records VALUES (52, 1795750480, 'IRMA_SESSION', NULL, 15);
INSERT INTO irma.log_entry_records VALUES (53, 1795750480, 'PIN_CHECK_SUCCESS', NULL, 16);
INSERT INTO irma.log_entry_records VALUES (54, 1795750540, 'PIN_CHECK_FAILED', '0', 10);
INSERT INTO irma.log_entry_records VALUES (55, 1795750540, 'PIN_CHECK_BLOCKED', '120', 10);
INSERT INTO irma.log_entry_records VALUES (56, 1795750540, 'PIN_CHECK_SUCCESS', NULL, 23);
INSERT INTO irma.log_entry_records VALUES (57, 1795750541, 'IRMA_SESSION', NULL, 23);
INSERT INTO irma.log_entry_records VALUES (58, 1795750541, 'PIN_CHECK_FAILED', '2', 23);
INSERT INTO irma.log_entry_records VALUES (59, 1795750541, 'PIN_CHECK_FAILED', '1', 23);
INSERT INTO irma.log_entry_records VALUES (60, 1795750541, 'PIN_CHECK_FAILED', '0', 23);
INSERT INTO irma.log_entry_records VALUES (61, 1795750541, 'PIN_CHECK_BLOCKED', '60', 23);
INSERT INTO irma.log_entry_records VALUES (62, 1795750541, 'PIN_CHECK_REFUSED', NULL, 23);


--
-- Data for Name: users; Type: TABLE DATA; Schema: irma; Owner: -
--

INSERT INTO irma.users VALUES (11, 'wEjtrSIRfYPr', 'en', NULL, 1795750479, 0, 0, 1798342479);
INSERT INTO irma.users VALUES (1, '3aaddiUnUDrK', 'en', '\x03000000274519a5d8ba4c5dbdd255bf1cb6f58a1b496cd3804149b31180a2fc9f233348adf87b3b5647f14433aa391ca0e329738ee33863d9f6980f0b6c3411e4fb5254362739b7a81deb50e917bbdaa5e6907a8a3ce0ef58fdb93fb80736ff7bfffc365e402964849ce7806978da109b0507ab79f8cafd873297bfb7fac70ebd9def1347061ee19d3266c5a7d3ed327c625e175d2d4ce7578d55b675484631fe7033f7a058ae5a9f1c4e3e5b12748b5bf9cea5f9337c26911f7bd35c6034277e7c8b54af3a3c86662d0326c4523b35cca76f02f8d39a76cb47b4738657b612f943e43e798f1e1b11bc50c253a9bbf94b8bb363e395b0dabf345575a725de9d6af8f4033087941cc1275d21c558af8ce83b95b7397284a0c1d0e6f5cf71deb07b5070969b257251268f00350b6a65f47cf71277fca640e9fc5556949618c4e817f019a5', 1795750476, 0, 0, NULL);
INSERT INTO irma.users VALUES (3, 'HFnnbZHxKHGc', 'en', '\x0700000081e8ac498495a53ee2ac18681bbab0720c10f99c8292c8e07f9cb1b4baa7612d9a99ec33f956d31c93580a7bfa99fb4c8287b58b38c4ed708ccd351311c082c43e79df24f6407bdb5b5a4d8411f8179d2d2ef1123b317327cd25f05f097010b546760322df4bc35c6a312d255f454dc6772530ef7449ccd94f5b2d3197fe670433ae50f44172d447afaa61262247cf0e1b0f45db75e97b27f0af23205b75dd97557cfb25522bb427e1d343f2313695161a658223cd473b942229ae043f34edcbc7d5f01377fadbd59f946854bec0eee8b4c2f5b4fc2cd67592aa614beac143b28807499712e114086664aa4c3d1145776a6038bb4b3073f804da041ace14d669eb5b6a7c23206747ec4e2641bfae59fc52b0e5f27d2d9e07da33d7f137c9d9fc7840c3333430ca70155ed08b69a6fbae4a5c26a6123e238e02c92214f2a1be19', 1795750477, 0, 0, NULL);
INSERT INTO irma.users VALUES (7, 'Ln62kD0H1JMt', 'en', '\x0700000074b0041a998e4fac12e7704fb917dcd12818a14551d9217067797819910a2db245c6d9bcff514266b2d70c0cf3835a182d8e734fa08ba00494127d17ab57ba7631109c65fab7847478f1a7f83ddcc14ba04fba0055423b11034c5bf7b8374a1597cdcd80e588bfc84d264ef21c490c52b221aba8db42837de7f734960866f1711c2a3df7f3f0d52539e0d0ab036e38d89b4f48e2f80cf3b5a2214440b5db93027b8c2f915ed938e3b2c1203d09b64d41914a63d3551cd07b77ae2493912c3102b6ed0220d7ab76dd9f3cbc2db5006cf7e35aba8a0161cb1934425df8647c4b888157f06a7a21a412f570ab858c77d86ab4d4f9e0dcbde350ef7dd2b718c4fa69710b4aa9fe6e8def00b4a1f418b2c00049fe09d10d4c1943362bcba565755a66e17a745a4abafe372a33b328cad2d03aae7b67371166451cdc23c7dd691f9b66', 1795750478, 0, 0, NULL);
INSERT INTO irma.users VALUES (4, 'cGXdnfD4cfcW', 'en', '\x07000000f4138c27b13e036abb899cc47665161a51f3ed67d2f80a9315d7d4a55b052bfa27169150111335e72189926323e5f427855bafcbee1d39e39fff4133bcdf7e64eed32d1005e8639552487a65bc1a319f9b2b57f249d8d6e04524cb5ff555aa504bc194523e2d20710e95f416269903492ffa2aceb57da7b8cbc34306b7967dab227e876006ac0f88b2935bba968fd65a33915c83c9d9a7260af11163aded312d18fcd118ad5222294f2cb235f7c49ad7d1eb20e34db707bb221a6ed9eec201f78513392b3a1b5630294a9be870032fe02df2016c7a0b4d06e41157ce98d2bc2f2353a07a2061ee1de5ce13448f503685fe6ae1d8787872e6c1355ff0d5209984f68fc0d14f686f86f435bb281b66363fb87abf9ee260f51bcc7efcf53454a79cb25fb84f30ffef954434a2e396de3ae3ffb14363657affb1d340da2107695457', 1795750477, 0, 0, NULL);
INSERT INTO irma.users VALUES (9, 'iPnnzTmslCqj', 'en', '\x07000000512521a6422152cd9652c01f04d1be0532568a8623c050be3ee6581c352fa08b80d9a1dd6e6cace08e5354acba14508b77bc13732d8684d0b02e9e43e77b9c8259254a602d9c856ca9765e3c9612f3825f86bb6607b00100fac616d9627ffeb0bc52621d654693ad66c42fb7911a4d88aac8faaf63acbbf0ab5a88ee1cac3e889cda68769e25f9b453f9f15ce781d0c1bf989dd79854b7fe7a29f8c1fa28ae19d2a47b15627c1143fa7e3c3fad2bb6e9c6478bc0a1f3872782bacd279b40a68f092d80cd73585d2234346b1b14f1dc8ae499fe2dec64d4e69cec4c433a3288e3c4720653a793f7c17ae59ab536710b3780eea9a2e908d785cc2cc86c791c6ddeed44b88bdbd616e2c78e4c52a173ddddf7f5b522420b15a49d6ed93997edeb8b63fcbe6f4e65138ce3246d16c01beb26f87918faa920469cc34ce31bae48e8b2', 1795750479, 2, 1795750479, NULL);
INSERT INTO irma.users VALUES (5, 'URGzRHeM97YM', 'nl', '\x0700000012075d29f5d56faaf469cef88e1ebf3004a5ae5347695bce9183d9e9b06ede9844d9b22b2d1cc52efd7ed5573a951ba67dc73469ac8f1be8189a488d0db3c3c7d7b82b4e19cc375a824ab3833b6ccb2f076796580cb3150e9ad2eda73a47c55d00362b1068f80e8a766027071b4bf09da1ea882e8ee65fc0c57c021ccae3e00643a26f5a481d0f50295ff80d615e8032a3c4f8031b63d68541a7afc9b0a3b7920db10dbf366c5d9e07079feaf6650afa596af61c3d100451c054d42b4039bb7d27c171d16fa0189fdcf4d1bf35e7c294f30bc804b551ed61aba901d698a33395961a382af3db797846a020f80b936f365daaa8b3ffd23ed8b5f2c5363a3f9fefc6bc096f7f5be9c156f18d89eec174892fc0f45b62939539fd9006b7b30eddfa4d6fe15f5c90fa1948203980e41cb16321779ab96c756c7b0cd4fcaff8702e17', 1795750477, 0, 0, NULL);
INSERT INTO irma.users VALUES (2, 'Mt7GMSUVe0X4', 'en', '\x0700000031fc784aead460dad3f2852f1573245f203bd93aa76c8bed38a282e0409bab0d9a5a6d02f42b01553eec85b764068454d652081edae85f2651a4e307a61d2eece1137065906ff8143fa778532bd7ebc21ff5bef14444736cf2c53327b8125a879fa0ca66ca93e8bd8a657757f2a495a4c02b98d8e69f8cdc58fbb488c5e1ef5aa6b6803e9f428576eea3c731f718f13366c7bd895c396fd37e4a008cce9d65bf9e52a6f966170d456fa4016f1ae97e61d371f1ff203bcb9ac7c61b4a6a9e5659c7e1d0c1a9142a56da193bd8460fbaf891178df8100443768ebdba73905ec183386d923e680324ffdcae4383a9fc0dd9f5aa2e5694f976ff19556bfacad9692acc592696bb210afeb3b23bb78e8e3b97156e06d03f352007a22fe34823547c313fd53108c7f37e4e63d288743b058fbda9add80c6d62130fafbf63d1443a1feb', 1795750476, 0, 0, NULL);
INSERT INTO irma.users VALUES (21, 'rCiBydoDVY1l', 'en', '\x07000000f2b8c60f36d1e06eaaf0f40fbfcba65ccf5f710231344a53e93b855a27ee36e92a2f2ca5e7a94a5f2a1cb1ebbdeae8e91bdfe6ec347742d4464a463a78c775bc3050cb303c7e1967499f6b9ec7067643658186695da9d9c0a1d8bb0967fe8a5096983463414489d54af9fd429298924462acc46df01e412a53f75c16f7276929ba50bba434b502abc1923830f28e109e25296a9f27d81cc389697911c47015641f540e6190ca8a1b58e3b857c10a6020a06898ab74ee86d746ce55b895f03b27386da7df1257eaf61885f72d8b84eee4a7b1e8a1ed956b3db26c1b97a0b89a5c2c1bf3cdca7de0752c007f45cb5a41132055d880a587eb9ee40ef0fa004ec3577fc34a91e3b80ffcbed35914d1900c4f3ffd63115d36fbe2e57d8da1dd7818693c2f0eaf6ff2343c77d3cd1b8793c25926663cf4894b17a6d6ed70e293ed3494', 1795750481, 0, 0, NULL);
INSERT INTO irma.users VALUES (8, 'N67gPoR5i91M', 'en', '\x070000002bdd53567d9c5d443a4ae58299927a55a4fe8d1b06674e5ff3d3b13121455fd1d13f8f411e476d402904d9f082a35b9df3faee593a3498a9c0533f071be56dc693e8b7d66c235143e92c80216b3d8fd8da7e222fc011bbfbbd595154f54e85a4520eaa24b888f6423f54fcfb892a54947a0cda5a02429a2c07be675243691ee239ab426fae5d369f8acb0690734bfb91a0f31fd4905d6c94442285bc7480c04bb172787d4d101f1ff5f4f51f33a5461137ad56f0794c9891caa0940729f312236dce277c0375266d0d28f29b2e7202a596675724ba0a98083a9542aa72998aecec58901c5a33f5ef869ec14e974b8cc69a14195abcc96ce3ac4ba6de2cfd961aebf75d7368dabe67cdb8e5f105648cc2086b6b6a772c5526fc2c34250870acb715fd2a544684c64038008ae8e63b1928e9b98b48bbf0d3422e45adfd92e9632a', 1795750478, 1, 1795750479, NULL);
INSERT INTO irma.users VALUES (6, 'gP8FFpjaycB2', 'en', '\x070000009fb3c12798c4dce8358261ec9da448fbee5e2a81ac46db621d45c523dadf6453cba23ec3b8f486a93145af6f85086bc90c912b99b4981c1fc82efb0712d77f89e68009e70a42e3bc3ce027d6ed39ab02b4c983284acc7ccfa34bb932d7f5a94a7a59803fedfe7b6c721a198f8fc99037ac910f454c77532ae6ac54319e58cbde3724136ae83a449f6a357e3bcc67dae18171d85770486198383667f037d4c826d14a2857cda5720bd3daf0787507809c460ec80db97dfaec7725b64cba686ae101defa73ff47e8d9483d65430f5fe58f0cc34ae9172dd7013be8605751ef2113889f5b2680c1a50460fe1d0acb9bb5034f5769bf9b89078e5ab4a0c05714e0f8a54d702e3c314fc819adeb129c76732fe558128748b489bce57f15d6515e22d1a0eec01a9ff94493f996060aba90f51c3ffc14414a1139d70a7bb230aa9709ef', 1795750478, 0, 0, NULL);
INSERT INTO irma.users VALUES (16, 'dDgDk6eqyaCU', 'en', '\x070000006384ff8acaa3d135bfa135e71dd802f50a75623180da9427a9cdc0280fe6f95c07b6b5f9e7cf0f0a5663654bb6225a87b82eb5b78fc71ef11f052c5d5ae31501730b4832929ab4cf8ee86fc32f2fca741f990952537bfa52cd9412b6474b5408bd224064658660ce7f0180c048f824701d299728967da5834c79c9e928d887aebc834cb953db8e55fd2a2297ae6542b65c1980b60508048a3efcf1fcfca1e22ca20a855526e315600b4b7078bbfb89c69281482be2dec575a946c746daa192df1f31f6f341303f8177d67168d65ac21343bbec2dd4db6442550a0fb033cd73af1b49c693', 1795750480, 0, 0, NULL);
INSERT INTO irma.users VALUES (12, 'ygPcVL0SdhN4', 'en', NULL, 1795750480, 0, 0, 1798342480);
INSERT INTO irma.users VALUES (17, 'x3HgVPpOOlch', '', '\x070000006fb01b6ee2b5d00baf0a4c495be27ef911c0e411c8b13baf7aab22e5cda7772495ce9fd1b28a4f3f5157d2153cb3a12c25a5b20a1f0e0074f2dfb1a7aa562d72011619be46491ac69e99f35131d061f5d2bb1b4204fbc1e4c0d3d000f098a306de2d7f58f2dd5c207c39698d4cf48d1b0b86841ff3501b193f49162d2f547e9c98e57a74a33b56c681b2891f330026b431d01e1c7a863ac5b47396df01d3aa27f54ead41ac1b3fc260e63063b5506c14272488a06fd691c90826fc2713f410e9be2d06bab206dc23c65ea79975809135adf4493b3760bb9cf1e0a7569eca92d431e27148', 1795750480, 0, 0, NULL);
INSERT INTO irma.users VALUES (14, 'R00OxUtsQeBa', 'en', '\x07000000382058b4735e89060a75b0378226e3a038116581fe3178fb81cf4ee42c5493092c898c12931a1d9af9fda868afe5e4d57847d326185763efa8e4ec7f6b8e32deb666aac41ec71f072218bd41262c4e3fe5d271776e868690bc669bb1915f9df0805d53c63bd2626a8330643e15c8700b0fa2abdd96e613218ff3045283ad1b0b204d1d0e2315e77dfffb2bdc8f20d78c614094e61d78b5855dfc37067f28c3b0fc25fef755695229c6572c638f502086fac2bb2f7f7bc00e94f0248c6318104f36a39c5b5631903b08878207d8ebb1a66f2f2a304cb2ebf39080dd0e8b7d76d5e9665e02baba7052eacdc602b6362f39a983376cb9208e08d7c3b4c0607ddab5319cdee2b874f9d05415a9413f1685c6c1e185d312c87f353ddcd8fd803128a5a2bc6a7288a807f1f10de891cc5033ba1ef4639bee0835aa1ab0a8f3e0493b4c', 1761190480, 0, 0, NULL);
INSERT INTO irma.users VALUES (15, '52JDZPbcKvvd', 'en', '\x070000005c100ddd16d9424e1d412e539d136ba81014585ac6e81946a20f3771fc3be16a7c00ded87551cfff1e18efe4bb1b3e5d8fb5964c6d493f157d4613b5432e201c3ee39f482bd57bf5be19cd5f77be4c198bf940105aa4d8122943243a4ebe82d70ffec1df170e2dc3d522228c0b5aa7e4e80b21651e441aaad25f5ba5a6c4173ba16efd117335a90fbd4cda37451761ae4d45542fd9bece44f6aee4e1d87017ab61987bde5ba5706114b839a10269ae028d02f6cfccfcdb396c181c75e33c0049d95220dd29ef36c9cc8a41741020b3e0d3d37630bd65f2af892d17e3e6357a54aeb7ffe0a427b3b4b4e5bc1a4ed946b83105f40a2d8bf24f32c3bf7c61f0205bbfb452321f781d3adb136843dedb5cae92df687f9af487bdd064df4d16b2b6d8ed3a0f5c090b7919311df6260735d17fa602740a45c2669e1332a5da896f1850', 1761190480, 0, 0, NULL);
INSERT INTO irma.users VALUES (18, 'FjZqe2OD5i9f', 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx', '\x07000000fd5878c916ed459aaa9dacdc472342bdd2e77e43bcb642e58fd2814fbe65a7fae47131c6019bbb0361661df943f3796a8f1622a97b32e7a528a890be362c1d9bb9eaee186f3eb370542ec475ced203d50a1b5924ea8a46613c1bd00bfb0faf4c9f99d558accfaf1488242e3af0c09b2c70d48be9d28651d53405572347ca16ce5729e21164e3ff5bb0373e8d73f9f60995ea8f054bcb1aa287ffb0766fc24881625920a6a9b40f1ed034ad8713e51a9d2b0e9d519ed0596c43ba278d0fd717b81c105ccda6fbf9c0f6e9892731ae5a1c6b967e87b306644404fa4de7f89dfebcd12b4688', 1795750480, 0, 0, NULL);
INSERT INTO irma.users VALUES (13, 'WHZcs0ub4QIm', 'nl', '\x070000009f7bf1a5130f5b64602775d7b7a49a18c9be465945ec2bb232afeed88e5a1166cf16166fcb4ebe95a24a1cb450482833c6edff8eeea3c7f88cf84d3399d966ea50f46946a14fb31c2c346a76ca48a996efa1d79a0b9fc627501042cff0b35975e7e6b654aad89f4d3f47468c09f945db63b327a20018f42914b2da973ccf560c35f6a063d3c98b65e5b2b921839b2cc670fa4a7c2f310317ffe58a2285b57cd80c7785168185d01c289bb6909d1c3d1ece0829a1b01cfc251bbe0f46cab9d51910b0f1d2373321bdd9aaa8d0e56da9c94d46a81b60b9ee1fb93b4fc8afa2b82e61fed0e5ac6e2333c36c1ae4dd077ddda1e06078043f1028f2689f2faafad6dc0900c34ee83e980092ca2974328c732e139f04eb3451840745265aa46b13cc8e899ef825ecc2fd3c2c09705f7d0a89462f05e8d1b93f0e3d5e8ee8879e331839', 1761190480, 0, 0, 1798342480);
INSERT INTO irma.users VALUES (22, 'oldLayout001', 'en', '\x61626364175deb3ff8956fc90601235717009e12b5ea28a67deca2d4002d58fce47db598c971c069df00f97cdcea613c6cc8fa74c4390a04f4c5ca6911660df5116d3b9f96bf809aadfab74c4217f485840ee53e9501b49e8787cca67a935276da234088bedf117356372d87ee283325b8fab2f6c7d8b4d12b1116d828fd424ab38a9e546a91e61997fa1ba13b56432f989b1bad6e6ea19015ab6bcffa872e2a6cc13da065aa4a3d17460a825c17ca17da410434637c78b1e70cc02d76', 1795664081, 0, 0, NULL);
INSERT INTO irma.users VALUES (19, '0nDciEreEH7S', 'en', '\x07000000bb69842f4233f74a419bc8f0e73c1a1c986407b0a0f74d484dc8e51f3a1922948bdd7281f1b640141cbdf038320ebbeea644f8496e2f84aa1bfa2956b1d2a5817a298f4ace3b4e4001c3c88d2fe503ac78a00bf966e31d55bf0f8d85f442796abd5c62221b2baae1719d7d29b1e78f73ab6506b7c02dfca42dc0030ff346abdec3323bff499b09340076784661f51e315379454ab71d85ac91a5a4f47e8b98e27d6c1956db35f2795ba1544dcf89310d085a61536f9103939527d57919ab7d08abe1f64e7eaa875deb872b906d9c6d0de4387c631c3784082d8e1dc81b12582a5fe3d5011061da0c82db1dc98587906e0e31ba0591b6714b38398c4fe8b27da7ee159f515d9766710db8858859b3c565c4f909700460e4529ad2254ada7dea6f0718b55b50e1e6f2f31904677021ff8ef5fe45c4d72a2cba78658c3eda429087', 1795750481, 0, 0, NULL);
INSERT INTO irma.users VALUES (20, '7v3t1eF3hqpz', 'en', '\x07000000152f9322d0f1b63885fe927e77d74b2fa5a71b0bec378b6da1494a8a591cf5caa43918ef89ce20e8d1e575844dd65b30255d08723534bb01cfaab947e4eca90673045591464d8acee875a73dd83eb7741fa9600175b09d9330f622de0d709f79fcc59d304e9c0ccc043bc8fa8324da551a3ba76badb1e26807418803c693394c7a6d4750adb60d679b78392b31585b9a92de3e158132239153854f467eed03df84a5e654414241a45250a89744bdd392e011b8147157f7d7bdc621692a1ac47eac141a8f89040853015eccf1f04c9d474c9ab6c4b70aef67cd8287c4393d5a88b855f4e5b4342cc54587418c202471107009558d48953d707a89e5371970542c8e802be176c9ce35335901b74f5871501f92c8ddef205843b992e91ca430d75fd958fc3e9773d8872d904217bac113e0029f19e1484764d10e7ca20040d2a76d', 1795750481, 0, 0, NULL);
INSERT INTO irma.users VALUES (10, 'zycbU7M0zdVU', 'en', '\x0700000098f24e07cd7d4d39795ed8d679b75527178b1a723aab41b6402c4ff88abfd88f530f78c2ee4a152e4948979b873c2fa41706a2f065471a6ec3114ad196f8fbf71f7e200cbad1ee0b749044f3b44182abee49ed3422cf894517ba4ca1e25750d0599be87754138b46a0802fc57ee63e2199a3cbbc8daf718ad5ed15046e1fe77969d4a39081868d76b0894bcf5422c62c8cbfff09f6715ec7b47e89690cbd1e714e09b891b1f0dc870a25302016c5f369c31c8eeebcbe89ba21a3f066de66b63c669cc849f49e9d76e812e12d2908d24a2551319ff97337433b3a3871e3791b069d778c66e6cede9d800f125f9ed7f06aaa584a34fdc06f3fb6b13f8f9db039f0040689d64777f4b74000aa520b98eefd5a6ec39009c30dbc6894a148fdb61b0bb969dbbd8a7572be28fac14326967cd29ec0a7d38d91df69914faf6997e7776a', 1795750479, 4, 1795750660, NULL);
INSERT INTO irma.users VALUES (23, 'tZR93KSOcNto', 'en', '\x0700000005bf1cf60b5795788df4ddb14764d76736de2017837e3af597907cc008c96e04881b7fe725ff5180a048e5d7d4c00e02e731c315d2c53f45245fa610733c17db6d7e09369ce18190a0c9e268aaf71d04dde7235dea4f8ccf0d908227909578ac7b61b9fb0ea1453127936fd24bb259f271ce48fd32c26c7b079091538f68d89f219b44f69b16d8137bf70e41d9208f4677e96bfb5a714db25a1608b3793b7e0feb931f2ed9c801bd517144a84d4c057c62de901f51a7d174e8cbd3200faa3004e3a7092ffa3d4bebd32b34b843a57edf2d2ad8fbd83e5158757204696caa2a57ab2031013c2b9b0d7e9534582b47fb26be5b897ba1ba63e4f805d9ca5cec97d4c6a5253a4dbb8f93487d5655983c7fb541f8086c47fcb88c1edb365d9a88afc26a30a9a5e629d3ade95ccf1d517220d22228e5249be2d325abd5e484e539663f', 1795750541, 3, 1795750601, NULL);


--
-- Name: email_login_tokens_id_seq; Type: SEQUENCE SET; Schema: irma; Owner: -
--

SELECT pg_catalog.setval('irma.email_login_tokens_id_seq', 1, true);


--
-- Name: email_verification_tokens_id_seq; Type: SEQUENCE SET; Schema: irma; Owner: -
--

SELECT pg_catalog.setval('irma.email_verification_tokens_id_seq', 8, true);


--
-- Name: emails_id_seq; Type: SEQUENCE SET; Schema: irma; Owner: -
--

SELECT pg_catalog.setval('irma.emails_id_seq', 8, true);


--
-- Name: log_entry_records_id_seq; Type: SEQUENCE SET; Schema: irma; Owner: -
--

SELECT pg_catalog.setval('irma.log_entry_records_id_seq', 62, true);


--
-- Name: users_id_seq; Type: SEQUENCE SET; Schema: irma; Owner: -
--

SELECT pg_catalog.setval('irma.users_id_seq', 23, true);


--
-- Name: email_login_tokens email_login_tokens_pkey; Type: CONSTRAINT; Schema: irma; Owner: -
--

ALTER TABLE ONLY irma.email_login_tokens
    ADD CONSTRAINT email_login_tokens_pkey PRIMARY KEY (id);


--
-- Name: email_verification_tokens email_verification_tokens_pkey; Type: CONSTRAINT; Schema: irma; Owner: -
--

ALTER TABLE ONLY irma.email_verification_tokens
    ADD CONSTRAINT email_verification_tokens_pkey PRIMARY KEY (id);


--
-- Name: emails emails_pkey; Type: CONSTRAINT; Schema: irma; Owner: -
--

ALTER TABLE ONLY irma.emails
    ADD CONSTRAINT emails_pkey PRIMARY KEY (id);


--
-- Name: log_entry_records log_entry_records_pkey; Type: CONSTRAINT; Schema: irma; Owner: -
--

ALTER TABLE ONLY irma.log_entry_records
    ADD CONSTRAINT log_entry_records_pkey PRIMARY KEY (id);


--
-- Name: users users_pkey; Type: CONSTRAINT; Schema: irma; Owner: -
--

ALTER TABLE ONLY irma.users
    ADD CONSTRAINT users_pkey PRIMARY KEY (id);


--
-- Name: email_constraint_index; Type: INDEX; Schema: irma; Owner: -
--

CREATE UNIQUE INDEX email_constraint_index ON irma.emails USING btree (user_id, email);


--
-- Name: email_index; Type: INDEX; Schema: irma; Owner: -
--

CREATE INDEX email_index ON irma.emails USING btree (email);


--
-- Name: email_login_token_index; Type: INDEX; Schema: irma; Owner: -
--

CREATE UNIQUE INDEX email_login_token_index ON irma.email_login_tokens USING btree (token);


--
-- Name: email_userid_index; Type: INDEX; Schema: irma; Owner: -
--

CREATE INDEX email_userid_index ON irma.emails USING btree (user_id);


--
-- Name: email_verification_token_index; Type: INDEX; Schema: irma; Owner: -
--

CREATE UNIQUE INDEX email_verification_token_index ON irma.email_verification_tokens USING btree (token);


--
-- Name: log_entry_records_user_id_index; Type: INDEX; Schema: irma; Owner: -
--

CREATE INDEX log_entry_records_user_id_index ON irma.log_entry_records USING btree (user_id, "time");


--
-- Name: username_index; Type: INDEX; Schema: irma; Owner: -
--

CREATE UNIQUE INDEX username_index ON irma.users USING btree (username);


--
-- Name: email_verification_tokens email_verification_tokens_user_id_fkey; Type: FK CONSTRAINT; Schema: irma; Owner: -
--

ALTER TABLE ONLY irma.email_verification_tokens
    ADD CONSTRAINT email_verification_tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES irma.users(id) ON DELETE CASCADE;


--
-- Name: emails emails_user_id_fkey; Type: FK CONSTRAINT; Schema: irma; Owner: -
--

ALTER TABLE ONLY irma.emails
    ADD CONSTRAINT emails_user_id_fkey FOREIGN KEY (user_id) REFERENCES irma.users(id) ON DELETE CASCADE;


--
-- Name: log_entry_records log_entry_records_user_id_fkey; Type: FK CONSTRAINT; Schema: irma; Owner: -
--

ALTER TABLE ONLY irma.log_entry_records
    ADD CONSTRAINT log_entry_records_user_id_fkey FOREIGN KEY (user_id) REFERENCES irma.users(id) ON DELETE CASCADE;


--
-- PostgreSQL database dump complete
--


